/** Parsing of a benchmark submission (docs/formulas.md, "Benchmark"). Everything in it was chosen by the submitter. */
import { type PrimaryState, primaryStates } from '../atmosphere/primary-state.ts';
import { DAY, MINUTE } from '../time/slot.ts';
import { HORIZONS } from './prediction.ts';
import { nameFault } from './submitter-name.ts';

/** A submitter's forecast for a pocket and horizon; it applies to every outcome in the window. */
export interface BenchmarkItem {
  pocket_id: string;
  horizon_minutes: number;
  predicted_state: PrimaryState;
  predicted_calm_probability: number;
  confidence: number;
}

/** As it was sent; the schema has checked the types of its fields and nothing more. */
export interface SubmissionInput {
  submitter_name: string;
  prediction_window_start: string;
  prediction_window_end: string;
  predictions: readonly (Omit<BenchmarkItem, 'predicted_state'> & { predicted_state: string })[];
}

export interface Submission {
  submitter_name: string;
  window_start: number;
  window_end: number;
  items: BenchmarkItem[];
}

/** What is sealed of a submission. The items are sealed by their hash until the window has closed. */
export interface SubmissionPayload {
  type: 'submission';
  id: string;
  submitter_name: string;
  sealed_at: string;
  prediction_window_start: string;
  prediction_window_end: string;
  prediction_count: number;
  detached: { hash: string; bytes: number };
  /** Present where the ledger had it more than a minute after its acceptance: it is scored from `written_at` on. */
  written_late?: true;
}

/** How much later than accepted a submission may be written and still be scored from its acceptance on. */
export const WRITTEN_WITHIN = MINUTE;

/** Whether one could know more than what was known when it was accepted: it might have been made up in between. */
export const isWrittenLate = (acceptedAt: number, writtenAt: number): boolean =>
  writtenAt - acceptedAt > WRITTEN_WITHIN;

export type SubmissionResult =
  | { submission: Submission }
  | { fault: string }
  /** `at` is the index of the item that names it. */
  | { unknownPocket: string; at: number };

/** The contract's. */
const MAX_WINDOW_AHEAD = 7 * DAY;

export function parseSubmission(
  given: SubmissionInput,
  now: number,
  isPocket: (id: string) => boolean,
): SubmissionResult {
  const { submitter_name } = given;
  const window_start = Date.parse(given.prediction_window_start);
  const window_end = Date.parse(given.prediction_window_end);
  const fault = nameFault(submitter_name) ?? windowFault(window_start, window_end, now);
  if (fault) return { fault };
  const items: BenchmarkItem[] = [];
  for (const [at, item] of given.predictions.entries()) {
    const { pocket_id, horizon_minutes, predicted_calm_probability, confidence } = item;
    if (!HORIZONS.some((minutes) => minutes === horizon_minutes))
      return { fault: `predictions[${at}].horizon_minutes must be one of ${HORIZONS.join(', ')}` };
    const predicted_state = parseState(item.predicted_state);
    if (!predicted_state)
      return { fault: `predictions[${at}].predicted_state must be one of ${primaryStates.join(', ')}` };
    if (!isPocket(pocket_id)) return { unknownPocket: pocket_id, at };
    items.push({ pocket_id, horizon_minutes, predicted_state, predicted_calm_probability, confidence });
  }
  return { submission: { submitter_name, window_start, window_end, items } };
}

function windowFault(start: number, end: number, now: number): string | undefined {
  if (end <= start) return 'prediction_window_end must be after prediction_window_start';
  if (end <= now) return 'prediction_window_end must be in the future';
  return end > now + MAX_WINDOW_AHEAD
    ? 'prediction_window_end must be at most 7 days in the future'
    : undefined;
}

/** get_pocket_futures spells states with an underscore, everything else with a hyphen; both are accepted. */
const parseState = (text: string): PrimaryState | undefined =>
  primaryStates.find((state) => state === text || state.replace('-', '_') === text);
