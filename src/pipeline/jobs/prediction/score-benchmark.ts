// The two jobs of the benchmark: the reference that submissions are compared with, and their scores
// (docs/decisions/040-what-a-submission-may-cost-others.md).
import {
  addToReference,
  type CanonicalRow,
  emptyReference,
  emptyTally,
  scoresOfTally,
  type Tally,
  tallyItems,
} from '../../../domain/prediction/benchmark.ts';
import type { BenchmarkItem } from '../../../domain/prediction/submission.ts';
import { DAY, SLOT } from '../../../domain/time/slot.ts';
import type { Reader } from '../../../store/engine/store.ts';
import {
  type ScoredSubmission,
  writeBenchmarkReference,
  writeSubmissionScores,
} from '../../../store/prediction/benchmark-scores.ts';
import {
  canonicalRowsOfPocket,
  canonicalRowsRevealedAt,
  earliestUnrevealed,
} from '../../../store/prediction/canonical-rows.ts';
import {
  type SealedSubmission,
  type StepBounds,
  unscoredSubmissions,
} from '../../../store/prediction/submissions.ts';
import type { JobContext } from '../../core/context.ts';

/** One step for each slot; the rest is scored at the next slots. */
const STEP_BOUNDS: StepBounds = { submissions: 200, items: 20_000 };
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

/**
 * Scores submissions whose window has closed, as many as one step may, and returns what writes the scores. What is read
 * here cannot change before they are written: every forecast of these windows is revealed, or counts as inconclusive.
 */
export async function scoreSubmissions(
  store: Reader,
  slot: number,
  bounds = STEP_BOUNDS,
): Promise<(context: Pick<JobContext, 'tx' | 'now'>) => Promise<void>> {
  const closed = await unscoredSubmissions(store, slot, bounds);
  if (!closed.length) return async () => undefined;
  const open = (await earliestUnrevealed(store, slot - LONGEST_WAIT, slot)) ?? Number.POSITIVE_INFINITY;
  const scored = await scoreDue(
    store,
    closed.filter(({ window_end }) => window_end < open),
  );
  return ({ tx, now }) => writeSubmissionScores(tx, scored, now);
}

/** Pocket by pocket: the rows of a pocket are read once for all submissions, and those of one pocket are held at a time. */
async function scoreDue(store: Reader, due: readonly SealedSubmission[]): Promise<ScoredSubmission[]> {
  const tallies = new Map<number, Tally>(due.map(({ leaf }) => [leaf, emptyTally]));
  for (const [pocket, parts] of partsByPocket(due)) {
    let [from, until] = [Number.POSITIVE_INFINITY, 0];
    for (const { submission } of parts) {
      from = Math.min(from, submission.scored_from);
      until = Math.max(until, submission.window_end);
    }
    const rows = await canonicalRowsOfPocket(store, pocket, from, until);
    for (const { submission, items } of parts) {
      const tally = tallyItems(items, rows.filter(inWindow(submission)), tallies.get(submission.leaf));
      tallies.set(submission.leaf, tally);
    }
  }
  return [...tallies].map(([leaf, tally]) => ({ leaf, scores: scoresOfTally(tally) }));
}

/** The items of a submission that are about one pocket. */
interface PocketPart {
  submission: SealedSubmission;
  items: BenchmarkItem[];
}

function partsByPocket(submissions: readonly SealedSubmission[]): Map<string, PocketPart[]> {
  const parts = new Map<string, PocketPart[]>();
  for (const submission of submissions)
    for (const [pocket, items] of Map.groupBy(submission.items, ({ pocket_id }) => pocket_id)) {
      const ofPocket = parts.get(pocket) ?? [];
      ofPocket.push({ submission, items });
      parts.set(pocket, ofPocket);
    }
  return parts;
}

/** Forecasts sealed before the submission are not scored: a submission must not predict the past. */
const inWindow =
  ({ scored_from, window_start, window_end }: SealedSubmission) =>
  (row: CanonicalRow): boolean =>
    row.sealed_at >= scored_from && row.reveal_at >= window_start && row.reveal_at <= window_end;
