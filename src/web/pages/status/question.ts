// The question that the status page answers. A separate file, because the parts of the page use its type.
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { listFeeds } from '../../../operations/observation/list-feeds.ts';
import { getCheckHistory } from '../../../operations/report/get-check-history.ts';
import { getHeartbeat } from '../../../operations/report/get-heartbeat.ts';
import { getStatusHistory } from '../../../operations/report/get-status-history.ts';

export const statusQuestion = composeOperations(
  'page_status',
  {},
  () => ({
    now: bindArguments(getHeartbeat),
    checks: bindArguments(getCheckHistory),
    history: bindArguments(getStatusHistory),
    feeds: bindArguments(listFeeds),
  }),
  // Ages in it change every minute.
  { cache: false },
);

export type StatusAnswers = AnswerOf<typeof statusQuestion>;
