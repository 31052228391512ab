import Type, { type Static } from 'typebox';
import { type OriginSplit, type ScoredShare, splitText } from '../../domain/prediction/accuracy-text.ts';
import { compareScores, referenceScores, type Scores } from '../../domain/prediction/benchmark.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { BASELINE_NAME, SERVICE_NAME } from '../../domain/prediction/submitter-name.ts';
import { roundedShare } from '../../domain/stats/rollup.ts';
import { shareRange } from '../../domain/stats/share-range.ts';
import { countText } from '../../domain/text/count-text.ts';
import { quote } from '../../domain/text/printable.ts';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import { namedWindow, type Window } from '../../domain/time/window.ts';
import type { Reader } from '../../store/engine/store.ts';
import {
  benchmarkReferenceWithin,
  countScoredSubmissions,
  leaderboardRows,
} from '../../store/prediction/benchmark-scores.ts';
import { lastBackfilledSlot } from '../../store/runtime/history.ts';
import { count, countField, nullable, timeField, timestamp, unit } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { wholeNumber } from '../core/fields.ts';
import { createTable } from '../core/table.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
import { accuracySplit } from './accuracy-fields.ts';
import { scoredCount as scoredCountField, scoreFields } from './benchmark-fields.ts';

/** The window that the reference rows are scored over. */
const REFERENCE_WINDOW = '7d';
/** How many rows the text half of the answer lists. */
const SPOKEN_ROWS = 10;

interface Entry extends Scores {
  submission_id: string | null;
  submitter_name: string;
  prediction_count: number;
  scored_at: number;
  /** Of a reference row: its accuracy on forecasts sealed before their outcome, and on those written afterwards. */
  split: OriginSplit<ScoredShare> | null;
  /** Of a reference row: the last time that its forecasts were for. */
  until: number | null;
}

const boardEntry = Type.Object({
  rank: Type.Integer({ minimum: 1 }),
  submission_id: nullable(Type.String({ description: 'null for a reference row' })),
  submitter_name: Type.String({ description: 'as the submitter wrote it' }),
  reference: Type.Boolean({ description: 'true for the service itself and for the naive baseline' }),
  ...scoreFields,
  accuracy_range: nullable(
    Type.Object({ low: unit, high: unit }, { description: 'the 95 % range of accuracy, from its n' }),
  ),
  prediction_count: count,
  scored_count: scoredCountField,
  scored_at: timestamp,
  forecasts_until: Type.Optional(timeField('of a reference row: the last time that its forecasts were for')),
  sealed_before_outcome: Type.Optional(accuracySplit.sealed_before_outcome),
  written_afterwards: Type.Optional(accuracySplit.written_afterwards),
});
type BoardEntry = Static<typeof boardEntry>;

export const getBenchmarkLeaderboard = defineOperation({
  name: 'get_benchmark_leaderboard',
  title: 'Leaderboard of the benchmark',
  description:
    "Ranks submitted forecasters by silence correctness, then accuracy. Use it to see how other systems do against the service and a naive baseline (reference rows). Not for the service's own record (get_accuracy_report). Returns count and leaderboard [{rank, submitter_name, accuracy, silence_correctness, calibration_error, gap_vs_service, gap_vs_naive, prediction_count, scored_at}]; names are the submitters' words.",
  toolsets: ['benchmark'],
  input: {
    limit: wholeNumber(1, 200, 50, 'maximum rows to list'),
  },
  output: Type.Object({
    count: countField('all rows of the board, also those not listed'),
    leaderboard: Type.Array(boardEntry),
  }),
  list: 'leaderboard',
  load,
  shape: ({ entries, count }, { limit }) => ({ count, leaderboard: rankedRows(entries, limit) }),
  speak: ({ count, leaderboard }, { limit }) => {
    if (!leaderboard.length) return 'nothing has been scored yet.';
    const address = restAddress('/api/benchmark/scores', { limit });
    return [
      ...referenceLine(leaderboard),
      `${count} on the board; the first ${Math.min(leaderboard.length, SPOKEN_ROWS)}:`,
      ...listWithin(leaderboard.map(boardLine), address, SPOKEN_ROWS),
    ].join('\n');
  },
  table: (_input, context) => createTable('benchmark', allRows(context), boardColumns),
  rest: { path: '/api/benchmark/scores' },
});

async function load({ limit }: { limit: number }, { store, now }: Pick<OperationContext, 'store' | 'now'>) {
  const scored = await leaderboardRows(store, limit);
  const references = await referenceEntries(store, now);
  const entries: Entry[] = [...references, ...scored.map((row) => ({ ...row, split: null, until: null }))];
  return { entries, count: (await countScoredSubmissions(store)) + references.length };
}

/** The sort is stable: among equals a reference row comes first, then the submission sealed first. */
const rankedRows = (entries: readonly Entry[], limit: number): BoardEntry[] =>
  entries
    .toSorted(compareScores)
    .slice(0, limit)
    .map((entry, at) => ({ rank: at + 1, ...publishedEntry(entry) }));

/** Far more than the daily limits let in within years; the rows are short. */
const MOST_EXPORTED = 20_000;

async function* allRows(context: OperationContext) {
  yield rankedRows((await load({ limit: MOST_EXPORTED }, context)).entries, MOST_EXPORTED);
}

const column =
  <Name extends keyof BoardEntry>(name: Name) =>
  (entry: BoardEntry): BoardEntry[Name] =>
    entry[name];
const boardColumns = {
  rank: column('rank'),
  submission_id: column('submission_id'),
  submitter_name: column('submitter_name'),
  reference: column('reference'),
  silence_correctness: column('silence_correctness'),
  accuracy: column('accuracy'),
  calibration_error: column('calibration_error'),
  gap_vs_service: column('gap_vs_service'),
  gap_vs_naive: column('gap_vs_naive'),
  prediction_count: column('prediction_count'),
  scored_count: column('scored_count'),
  scored_at: column('scored_at'),
};

/** A forecast for a slot was sealed at most this long before. */
const LONGEST_HORIZON = Math.max(...HORIZONS) * MINUTE;

async function referenceEntries(store: Reader, now: number): Promise<Entry[]> {
  const window = namedWindow(REFERENCE_WINDOW, now);
  const tally = await benchmarkReferenceWithin(store, window);
  if (!tally?.forecasts) return [];
  const live = await benchmarkReferenceWithin(store, await liveWindow(store, window));
  const { service, naive } = referenceScores(tally);
  const { forecasts: prediction_count, scored_at, slot: until } = tally;
  const shared = { submission_id: null, prediction_count, scored_at, until };
  const sealingSplit = (hits: 'service_hits' | 'naive_hits') => {
    const [n, right] = [live?.forecasts ?? 0, live?.[hits] ?? 0];
    return {
      sealed_before_outcome: scoredShare(n, right),
      written_afterwards: scoredShare(tally.forecasts - n, tally[hits] - right),
    };
  };
  return [
    { ...shared, ...service, submitter_name: SERVICE_NAME, split: sealingSplit('service_hits') },
    { ...shared, ...naive, submitter_name: BASELINE_NAME, split: sealingSplit('naive_hits') },
  ];
}

/**
 * The references are sums for the slot that forecasts are for. Those of the first three hours after the history hold
 * forecasts of both kinds and are counted as written afterwards.
 */
async function liveWindow(store: Reader, { after, until }: Window): Promise<Window> {
  const last = await lastBackfilledSlot(store);
  return { after: last === null ? after : Math.max(after, last + LONGEST_HORIZON), until };
}

const scoredShare = (n: number, hits: number): ScoredShare => ({ n, accuracy: roundedShare(hits, n) });

const publishedEntry = ({ scored_at, ...entry }: Entry): Omit<BoardEntry, 'rank'> => ({
  submission_id: entry.submission_id,
  submitter_name: entry.submitter_name,
  reference: entry.split !== null,
  accuracy: entry.accuracy,
  silence_correctness: entry.silence_correctness,
  calibration_error: entry.calibration_error,
  gap_vs_service: entry.gap_vs_service,
  gap_vs_naive: entry.gap_vs_naive,
  accuracy_range: shareRange(entry.accuracy, entry.scored_count),
  prediction_count: entry.prediction_count,
  scored_count: entry.scored_count,
  scored_at: iso(scored_at),
  ...(entry.until !== null && { forecasts_until: iso(entry.until) }),
  ...entry.split,
});

/** How many of the forecasts behind the reference rows were sealed before their outcome; nothing without such a row. */
function referenceLine(leaderboard: readonly BoardEntry[]): string[] {
  const own = leaderboard.find(
    ({ reference, submitter_name }) => reference && submitter_name === SERVICE_NAME,
  );
  const { sealed_before_outcome, written_afterwards } = own ?? {};
  if (!sealed_before_outcome || !written_afterwards) return [];
  const split = splitText({ sealed_before_outcome, written_afterwards });
  return [`forecasts of the last 7 days, behind the reference rows: ${split}.`];
}

/** A submitter's name is quoted and a reference's is not, so that no submitter can pass for a reference. */
function boardLine(entry: BoardEntry): string {
  const { rank, reference, submitter_name, silence_correctness, accuracy, prediction_count } = entry;
  const name = reference ? `${submitter_name} (reference)` : quote(submitter_name);
  return `${rank}. ${name}: silence correctness ${silence_correctness ?? 'not known'}, accuracy ${accuracy ?? 'not known'}, ${countText(prediction_count, 'forecast')}.`;
}
