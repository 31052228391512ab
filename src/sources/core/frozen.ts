import { HOUR } from '../../domain/time/slot.ts';
import type { Measurement } from './measurement.ts';

// Whether a sensor is stuck: it reports the same number for longer than it ever did before.

/** A shorter run is never called frozen: car parks and counters stand still at night. */
export const LEAST_FROZEN_MS = 6 * HOUR;
/** History before the run, so that a sensor's ordinary weekend has been seen. */
export const LEAST_HISTORY_MS = 7 * 24 * HOUR;

/** The key under which a sensor of a feed is remembered. */
export const sensorKey = ({ place_id, field }: Pick<Measurement, 'place_id' | 'field'>): string =>
  JSON.stringify([place_id, field]);

/** What is remembered of one sensor: its present run of equal values, the longest one before, and what it has shown. */
export interface SensorRun {
  value: number;
  /** When the run began, by the feed's own word. */
  since: number;
  /** The newest value of the run. */
  until: number;
  longest_ms: number;
  /** When the sensor was first seen. */
  first_seen: number;
  /** The largest value so far. */
  largest: number;
  /** The newest value that was not 0; null where there was none. */
  shown: number | null;
  /** How many the place holds by the feed's own word; null where it gave none. */
  capacity: number | null;
  /** What the present run of zeros means (meaning/zero-meaning.ts); null where that is not asked. */
  zero: 'value' | 'no_data' | null;
}

/** The run after one more value. A value that is not newer changes nothing. */
export function nextRun(run: SensorRun | undefined, value: number, at: number): SensorRun {
  const shown = value === 0 ? (run?.shown ?? null) : value;
  if (!run)
    return {
      value,
      since: at,
      until: at,
      longest_ms: 0,
      first_seen: at,
      largest: value,
      shown,
      capacity: null,
      zero: null,
    };
  if (at <= run.until) return run;
  if (value === run.value) return { ...run, until: at };
  const longest_ms = Math.max(run.longest_ms, run.until - run.since);
  const largest = Math.max(run.largest, value);
  return { ...run, value, since: at, until: at, longest_ms, largest, shown, zero: null };
}

export function isFrozen({ since, until, longest_ms, first_seen }: SensorRun): boolean {
  const length = until - since;
  return length >= LEAST_FROZEN_MS && length > longest_ms && since - first_seen >= LEAST_HISTORY_MS;
}
