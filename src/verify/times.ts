// The times of a row: when it says that it was sealed, when it was written, and when its outcome was known.
import type { Entry } from './entry.ts';

/**
 * A forecast must be sealed before the time it is for, a line or a silence before the end at which it is judged. Returns
 * what is wrong, or undefined.
 */
export function notSealedInTime(type: string, payload: Entry['payload']): string | undefined {
  if (type === 'line' || type === 'silence')
    return parseSeconds(payload.sealed_at) < parseSeconds(payload.window_end)
      ? undefined
      : 'not sealed before its window_end';
  if (type !== 'prediction' && !('reveal_at' in payload)) return undefined;
  const revealAt = parseSeconds(payload.reveal_at);
  if (Number.isNaN(revealAt)) return 'reveal_at is not a time';
  if (type !== 'prediction' || parseSeconds(payload.sealed_at) < revealAt) return undefined;
  return 'not sealed before the time it speaks of';
}

/** How far the clock that sealed a row may be from the one that wrote it, in milliseconds. */
const CLOCK_DIFFERENCE = 60_000;

/**
 * A row is sealed, then written. That holds for a virtual clock too: it writes the past. A submission that is not written
 * soon after it was accepted could know what came in between, so it says that it was `written_late` and is scored from
 * then on; all other rows are sealed as of their slot, and written when its job runs. Returns what is wrong, or undefined,
 * also for another row that does not say when it was sealed.
 */
export function notWrittenInTime(type: string, payload: Entry['payload']): string | undefined {
  const delayFrom = (field: string) =>
    Math.round(1000 * (parseSeconds(payload.written_at) - parseSeconds(payload[field])));
  for (const field of ['sealed_at', 'revealed_at'])
    if (delayFrom(field) < -CLOCK_DIFFERENCE) return `written_at is before ${field} by more than a minute`;
  if (type !== 'submission') return undefined;
  const delay = delayFrom('sealed_at');
  if (Number.isNaN(delay)) return 'sealed_at is not a time';
  if (isWrittenLate(payload) === delay > CLOCK_DIFFERENCE) return undefined;
  return isWrittenLate(payload)
    ? 'written_at is after sealed_at by no more than a minute, and it says that it was written late'
    : 'written_at is after sealed_at by more than a minute, and it does not say that it was written late';
}

const isWrittenLate = (payload: Entry['payload']): boolean => payload.written_late === true;

/** From when on forecasts are compared with a submission. */
export const scoredFrom = (payload: Entry['payload']): unknown =>
  isWrittenLate(payload) ? payload.written_at : payload.sealed_at;

const OUTCOME: Record<string, string> = {
  prediction: 'reveal_at',
  line: 'window_end',
  silence: 'window_end',
  submission: 'prediction_window_end',
};

/**
 * Whether the row was in the log before its outcome was known, by the log's own clock; undefined for a reveal or a
 * verdict, which is an outcome. A row that a virtual clock wrote never was, and one without times is not believed.
 */
export function isSealedBeforeOutcome(type: string, payload: Entry['payload']): boolean | undefined {
  const outcome = OUTCOME[type];
  if (outcome === undefined) return undefined;
  return payload.backfilled !== true && parseSeconds(payload.written_at) < parseSeconds(payload[outcome]);
}

/** From when on the outcome of a row may be in the log, in seconds; 0 for a row that has none there. */
export function outcomeFrom(type: string, payload: Entry['payload']): number {
  const outcome = type === 'submission' ? undefined : OUTCOME[type];
  return outcome === undefined ? 0 : parseSeconds(payload[outcome]);
}

const UTC = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/;
const recent = new Map<string, number>();

/** NaN for anything but a UTC time. Cached, since the rows of one slot share a few times. */
export function parseSeconds(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  let seconds = recent.get(value);
  if (seconds === undefined) {
    seconds = UTC.test(value) ? Date.parse(value) / 1000 : Number.NaN;
    if (recent.size === 64) recent.clear();
    recent.set(value, seconds);
  }
  return seconds;
}
