// The question that the page of accuracy answers. A separate file, because the parts of the page use its type too.
import Type from 'typebox';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { pocketId } from '../../../operations/core/fields.ts';
import { getAccuracyReport } from '../../../operations/prediction/get-accuracy-report.ts';
import { getNewestReading } from '../../../operations/report/get-newest-reading.ts';
import { accuracyPeriod, listAccuracyPeriods } from '../../../operations/report/list-accuracy-periods.ts';

/** How far back the pages look, as part of a sentence. */
export const sinceLabels = { '7d': 'the last 7 days', '30d': 'the last 30 days', all: 'all time' } as const;

export const sinceInput = {
  since: Type.Enum(['7d', '30d', 'all'], { default: '30d', description: 'how far back' }),
};

/** How many periods the chart shows. */
const periodCounts = { day: 30, week: 26, month: 12 } as const;

export const accuracyQuestion = composeOperations(
  'page_accuracy',
  {
    ...sinceInput,
    by: { ...accuracyPeriod, default: 'day' },
    pocket_id: Type.Optional(pocketId),
  },
  ({ since, by, pocket_id }) => ({
    newest: bindArguments(getNewestReading),
    report: bindArguments(getAccuracyReport, { since, ...(pocket_id !== undefined && { pocket_id }) }),
    history: bindArguments(listAccuracyPeriods, {
      period: by,
      count: periodCounts[by],
      ...(pocket_id !== undefined && { pocket_id }),
    }),
  }),
);

export type AccuracyAnswers = AnswerOf<typeof accuracyQuestion>;
export type Report = AccuracyAnswers['report'];
export type Period = AccuracyAnswers['history']['periods'][number];
