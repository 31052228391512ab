import { HOUR } from '../../domain/time/slot.ts';

// Whether a sensor is stuck: it reports the same number for longer than it ever did before.

/** A shorter run is never called frozen: car parks and counters stand still at night. */
export const LEAST_FROZEN_MS = 6 * HOUR;
/** History before the run, so that a sensor's ordinary weekend has been seen. */
export const LEAST_HISTORY_MS = 7 * 24 * HOUR;

/** What is remembered of one sensor: its present run of equal values and the longest one before. */
export interface SensorRun {
  value: number;
  /** When the run began, by the feed's own word. */
  since: number;
  /** The newest value of the run. */
  until: number;
  longest_ms: number;
  /** When the sensor was first seen. */
  first_seen: number;
}

/** The run after one more value. A value that is not newer changes nothing. */
export function nextRun(run: SensorRun | undefined, value: number, at: number): SensorRun {
  if (!run) return { value, since: at, until: at, longest_ms: 0, first_seen: at };
  if (at <= run.until) return run;
  if (value === run.value) return { ...run, until: at };
  const longest_ms = Math.max(run.longest_ms, run.until - run.since);
  return { ...run, value, since: at, until: at, longest_ms };
}

export function isFrozen({ since, until, longest_ms, first_seen }: SensorRun): boolean {
  const length = until - since;
  return length >= LEAST_FROZEN_MS && length > longest_ms && since - first_seen >= LEAST_HISTORY_MS;
}
