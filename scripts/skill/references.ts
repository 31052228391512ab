import { CLASSES, classOf, isCalm, type Judged, momentOf } from './protocol.ts';

/** What one method says of one row. */
export interface Call {
  class: number;
  calm: number;
  /** How sure it is of the class; only of those that give a chance. */
  confidence: number | null;
}

export const referenceNames = ['persistence', 'last_week', 'climatology', 'ratio', 'table'] as const;
export type ReferenceName = (typeof referenceNames)[number];

const HOURS = 24;
const WEEK_HOURS = 168;

/** The five plain methods a forecaster has to beat, for one horizon. */
export interface References {
  /** Null when one of them has nothing to go by. `place` counts among the judged. */
  call(place: number, slot: number): Record<ReferenceName, Call> | null;
  /** Tells the table what came of the row. */
  reveal(place: number, slot: number, outcome: number): void;
}

export function referencesFor(judged: Judged, steps: number): References {
  const { series, stepsPerHour, places, edges } = judged;
  const usual = climatology(judged);
  const counts = new Float64Array(places.length * CLASSES * HOURS * 2 * CLASSES);
  const valueAt = (place: number, slot: number) =>
    slot < 0 ? Number.NaN : (series.values[(places[place] as number) * series.slots + slot] as number);
  const hourOfWeek = (slot: number, known: number) =>
    Math.floor(momentOf(series, slot, known).stepOfWeek / stepsPerHour) % WEEK_HOURS;

  const rowOf = (place: number, slot: number): number => {
    const hour = hourOfWeek(slot + steps, slot);
    const now = classOf(edges[place] as number[], valueAt(place, slot));
    const kind = hour >= 5 * HOURS ? 1 : 0;
    return (((place * CLASSES + now) * HOURS + (hour % HOURS)) * 2 + kind) * CLASSES;
  };

  return {
    call(place, slot) {
      const own = edges[place] as number[];
      const now = valueAt(place, slot);
      const lastWeek = valueAt(place, slot + steps - WEEK_HOURS * stepsPerHour);
      const here = usual[place * WEEK_HOURS + hourOfWeek(slot, slot)] as number;
      const there = usual[place * WEEK_HOURS + hourOfWeek(slot + steps, slot)] as number;
      if ([now, lastWeek, here, there].some(Number.isNaN)) return null;
      const row = rowOf(place, slot);
      const seen = counts.subarray(row, row + CLASSES);
      const total = seen.reduce((sum, n) => sum + n, 0);
      if (total === 0) return null;
      const likeliest = seen.indexOf(Math.max(...seen));
      const hard = (value: number): Call => ({
        class: classOf(own, value),
        calm: isCalm(own, value) ? 1 : 0,
        confidence: null,
      });
      return {
        persistence: hard(now),
        last_week: hard(lastWeek),
        climatology: hard(there),
        // Where nothing is usual there is nothing to re-level.
        ratio: hard(here > 0 ? (now * there) / here : there),
        table: {
          class: likeliest,
          calm: ((seen[0] as number) + (seen[1] as number)) / total,
          confidence: (seen[likeliest] as number) / total,
        },
      };
    },
    reveal(place, slot, outcome) {
      if (Number.isNaN(valueAt(place, slot))) return;
      const at = rowOf(place, slot) + outcome;
      counts[at] = (counts[at] as number) + 1;
    },
  };
}

/** The mean of the training values at each hour of the week, for each place; NaN where there was none. */
function climatology({ series, split, stepsPerHour, places }: Judged): Float64Array {
  const sums = new Float64Array(places.length * WEEK_HOURS);
  const counts = new Float64Array(places.length * WEEK_HOURS);
  for (let slot = 0; slot < split; slot++) {
    const hour = Math.floor(momentOf(series, slot).stepOfWeek / stepsPerHour);
    for (const [place, number] of places.entries()) {
      const value = series.values[number * series.slots + slot] as number;
      if (Number.isNaN(value)) continue;
      const at = place * WEEK_HOURS + hour;
      sums[at] = (sums[at] as number) + value;
      counts[at] = (counts[at] as number) + 1;
    }
  }
  return sums.map((sum, at) => sum / (counts[at] as number));
}
