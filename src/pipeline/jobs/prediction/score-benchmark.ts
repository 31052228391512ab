import {
  addToReference,
  type CanonicalRow,
  emptyReference,
  scoreItems,
} from '../../../domain/prediction/benchmark.ts';
import { DAY, SLOT } from '../../../domain/time/slot.ts';
import type { Reader } from '../../../store/engine/store.ts';
import {
  writeBenchmarkReference,
  writeSubmissionScores,
} from '../../../store/prediction/benchmark-scores.ts';
import {
  canonicalRowsOfPocket,
  canonicalRowsRevealedAt,
  earliestUnrevealed,
} from '../../../store/prediction/canonical-rows.ts';
import { type SealedSubmission, unscoredSubmissions } from '../../../store/prediction/submissions.ts';
import type { JobContext } from '../../core/context.ts';

/** A bound, because callers decide how many submissions there are. The rest is scored at the next slots. */
const BATCH_SIZE = 20;
/** A forecast that is still not revealed after this long counts as inconclusive. */
const LONGEST_WAIT = DAY;

/** Sums the scores of the service's own forecasts and of the naive baseline, which submissions are compared with. */
export async function writeReference({ tx, ledger, slot, now }: JobContext): Promise<void> {
  // One slot back: by now the forecasts that waited a slot for a reading are revealed too.
  let reference = emptyReference;
  for await (const rows of canonicalRowsRevealedAt(tx, ledger, slot - SLOT))
    reference = addToReference(rows, reference);
  await writeBenchmarkReference(tx, slot - SLOT, reference, now);
}

/** Scores the submissions whose window has closed, each once. */
export async function scoreSubmissions({ tx, slot, now }: JobContext): Promise<void> {
  const closed = await unscoredSubmissions(tx, slot, BATCH_SIZE);
  if (!closed.length) return;
  const open = (await earliestUnrevealed(tx, slot - LONGEST_WAIT, slot)) ?? Number.POSITIVE_INFINITY;
  const due = closed.filter(({ window_end }) => window_end < open);
  const rows = await rowsFor(tx, due);
  const scored = due.map(({ leaf, items, ...submission }) => ({
    leaf,
    scores: scoreItems(items, rows.filter(inWindow(submission))),
  }));
  await writeSubmissionScores(tx, scored, now);
}

/** Forecasts sealed before the submission are not scored: a submission must not predict the past. */
const inWindow =
  ({ sealed_at, window_start, window_end }: Omit<SealedSubmission, 'leaf' | 'items'>) =>
  (row: CanonicalRow): boolean =>
    row.sealed_at >= sealed_at && row.reveal_at >= window_start && row.reveal_at <= window_end;

/** All rows that these submissions are scored on, read once. */
async function rowsFor(tx: Reader, due: readonly SealedSubmission[]): Promise<CanonicalRow[]> {
  const from = Math.min(...due.map(({ sealed_at }) => sealed_at));
  const until = Math.max(...due.map(({ window_end }) => window_end));
  const pockets = new Set(due.flatMap(({ items }) => items.map(({ pocket_id }) => pocket_id)));
  const rows: CanonicalRow[] = [];
  for (const pocket of pockets) rows.push(...(await canonicalRowsOfPocket(tx, pocket, from, until)));
  return rows;
}
