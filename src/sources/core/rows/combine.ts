// Rows of one place, field and time become one measurement: the first, or what the settings say of channels.
import { FeedShapeError, MOST_VALUES } from '../adapter.ts';
import { countFault, type FaultCounts, type Measurement } from '../measurement.ts';

type Combine = 'sum' | 'mean' | 'most' | 'least';
type Key = Omit<Measurement, 'value'>;

export interface Combined {
  add(measurement: Measurement): void;
  /** A row without a value. */
  missing(key: Key): void;
  all(): Measurement[];
}

/**
 * Keeps the measurements that it is given and changes their values: the caller hands them over. What is left out is
 * counted in `faults`.
 */
export function combineMeasurements(combine: Combine | undefined, faults: FaultCounts): Combined {
  const groups = new Map<string, Measurement>();
  const rows = new Map<string, number>();
  // A channel had no value: a sum without it would be too low, so that it is left out.
  const incomplete = new Set<string>();
  // No id of a place or name of a field has a line break.
  // A state stands beside the numbers: what is judged later decides between them.
  const rowKey = ({ place_id, field, observed_at, state }: Key): string =>
    `${place_id}\n${field}\n${observed_at}${state === undefined ? '' : '\nstate'}`;
  return {
    add(measurement) {
      const key = rowKey(measurement);
      const held = groups.get(key);
      if (!held) {
        if (groups.size >= MOST_VALUES) throw new FeedShapeError(`expected at most ${MOST_VALUES} values`);
        groups.set(key, measurement);
        return;
      }
      if (!combine || measurement.state !== undefined) {
        countFault(faults, 'duplicate');
        return;
      }
      const { value } = measurement;
      rows.set(key, (rows.get(key) ?? 1) + 1);
      if (combine === 'most') held.value = Math.max(held.value, value);
      else if (combine === 'least') held.value = Math.min(held.value, value);
      else held.value += value;
    },
    missing(key) {
      if (combine === 'sum') incomplete.add(rowKey(key));
    },
    all() {
      const result: Measurement[] = [];
      for (const [key, measurement] of groups) {
        if (incomplete.has(key)) continue;
        if (combine === 'mean') measurement.value /= rows.get(key) ?? 1;
        if (measurement.state !== undefined || Number.isFinite(measurement.value)) result.push(measurement);
        else countFault(faults, 'bad_value');
      }
      return result;
    },
  };
}
