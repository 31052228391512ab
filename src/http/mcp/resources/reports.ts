// Reports on the whole service, each at a fixed address: answers that REST has and no tool gives, with the arguments that
// a person would choose.
import { historySentence } from '../../../domain/text/history-progress.ts';
import { quote } from '../../../domain/text/printable.ts';
import type { Operation } from '../../../operations/core/define.ts';
import { listExperiences } from '../../../operations/merchant/list-experiences.ts';
import { getChangelog } from '../../../operations/report/get-changelog.ts';
import { getHeartbeat } from '../../../operations/report/get-heartbeat.ts';
import { getTrustReport } from '../../../operations/report/get-trust-report.ts';
import type { AppContext } from '../../answers/app-context.ts';
import type { Latin1Body } from '../../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../../core/maybe-promise.ts';
import { type Answered, readToolResult } from './answer-contents.ts';

/** The result of an operation that reads, as a tool would give it. */
export type ReadOperation = (
  operation: Operation,
  given: Record<string, unknown>,
) => MaybePromise<Latin1Body>;

type ReportContext = Pick<AppContext, 'build' | 'dataVersion' | 'zone'>;

interface Report {
  uri: string;
  name: string;
  title: string;
  description: string;
  operation: Operation;
  given: Record<string, unknown>;
  /** Adds what is known of this process without the store. */
  complete?(answered: Answered, context: ReportContext): Answered;
}

export const reports: readonly Report[] = [
  {
    uri: 'pocketwatch://status',
    name: 'status',
    title: 'Is the service ready and well',
    description:
      'Whether the service is ready, which build is running and since when, and nine checks; each one that is not green says what an operator should do.',
    operation: getHeartbeat as Operation,
    given: {},
    complete: withProcess,
  },
  {
    uri: 'pocketwatch://trust',
    name: 'trust',
    title: 'Was it right to speak and to stay silent',
    description:
      'Over the last seven days, all pockets together: how many lines and silences were judged, how many were right, in which ways the others failed, and how forecasts did.',
    operation: getTrustReport as Operation,
    given: { window: '7d' },
  },
  {
    uri: 'pocketwatch://days',
    name: 'days',
    title: 'What was written today and yesterday',
    description:
      'Readings, lines, silences and forecasts of today so far and of yesterday (UTC days), and which quarter hours or readings are missing.',
    operation: getChangelog as Operation,
    given: { days: 2 },
  },
  {
    uri: 'pocketwatch://offers',
    name: 'offers',
    title: 'What merchants offer at this moment',
    description:
      'What merchants have confirmed for right now in all pockets, without their names; usually none.',
    operation: listExperiences as Operation,
    // More of them would be longer than an answer may be.
    given: { limit: 5 },
  },
];

/** How long it may be kept: an answer that is never cached is asked for anew. */
export const readReport = (
  report: Report,
  context: ReportContext & Pick<AppContext, 'now'>,
  readOperation: ReadOperation,
): MaybePromise<{ answered: Answered; seconds: number }> =>
  mapMaybePromise(readOperation(report.operation, report.given), (result) => {
    const answered = readToolResult(result);
    return {
      answered: report.complete ? report.complete(answered, context) : answered,
      seconds: report.operation.cache === false ? 0 : context.dataVersion.maxAge(context.now()),
    };
  });

/** A store that cannot be read is what somebody wants to know here, and no reason for an error. */
function withProcess(answered: Answered, { build, dataVersion, zone }: ReportContext): Answered {
  const { version, deployed_at } = build;
  const { finished, ...progress } = dataVersion.history();
  const since = dataVersion.unreachableSince();
  const ready = finished && since === null;
  const began = Date.parse(deployed_at);
  const state = since === null ? historySentence({ finished, ...progress }) : 'the store cannot be read';
  const lines = [
    `${ready ? 'ready' : 'not ready'}: ${state}.`,
    `build ${quote(version)}, first run on this store at ${zone.clockWithZone(began)} on ${zone.localDate(began)} (${deployed_at}).`,
    answered.fault === undefined ? answered.text : `the checks could not be made: ${answered.fault}.`,
  ];
  const own = { ready, history: progress, version, deployed_at };
  return {
    text: lines.join('\n'),
    structured: answered.fault === undefined ? { ...own, ...answered.structured } : own,
    _meta: answered.fault === undefined ? answered._meta : {},
  };
}
