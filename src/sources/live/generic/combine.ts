// Rows of one place, field and time become one measurement: the first, or what the settings say of channels.
import type { Measurement, RowFault } from '../../core/measurement.ts';

type Combine = 'sum' | 'mean' | 'most' | 'least';
type Key = Omit<Measurement, 'value'>;

interface Group {
  measurement: Measurement;
  rows: number;
}

export interface Combined {
  add(measurement: Measurement): void;
  /** A row without a value. */
  missing(key: Key): void;
  all(): Measurement[];
}

export function combineMeasurements(
  combine: Combine | undefined,
  count: (fault: RowFault) => void,
): Combined {
  const groups = new Map<string, Group>();
  // A channel had no value: a sum without it would be too low, so that there is none.
  const incomplete = new Set<string>();
  const keyOf = ({ place_id, field, observed_at }: Key): string =>
    JSON.stringify([place_id, field, observed_at]);
  return {
    add(measurement) {
      const key = keyOf(measurement);
      const group = groups.get(key);
      if (!group) {
        groups.set(key, { measurement: { ...measurement }, rows: 1 });
        return;
      }
      if (!combine) {
        count('duplicate');
        return;
      }
      const { measurement: held } = group;
      const { value } = measurement;
      group.rows += 1;
      if (combine === 'most') held.value = Math.max(held.value, value);
      else if (combine === 'least') held.value = Math.min(held.value, value);
      else held.value += value;
    },
    missing(key) {
      if (combine === 'sum') incomplete.add(keyOf(key));
    },
    all() {
      const result: Measurement[] = [];
      for (const [key, { measurement, rows }] of groups) {
        if (incomplete.has(key)) continue;
        const value = combine === 'mean' ? measurement.value / rows : measurement.value;
        if (Number.isFinite(value)) result.push({ ...measurement, value });
        else count('bad_value');
      }
      return result;
    },
  };
}
