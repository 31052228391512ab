import { CLASSES, classIndex, type Evaluation, isCalm, localCalendarStep } from './protocol.ts';

/** What one method forecasts for one row. */
export interface MethodForecast {
  class: number;
  /** Probability of calm. */
  calm: number;
  /** Probability of the class; null for methods that give none. */
  confidence: number | null;
}

export const referenceNames = ['persistence', 'last_week', 'climatology', 'ratio', 'table'] as const;
export type ReferenceName = (typeof referenceNames)[number];

const HOURS = 24;
const WEEK_HOURS = 168;

/** The five simple methods that the forecaster is compared with, for one horizon. */
export interface References {
  /** Null when one of them lacks data. `place` is an index into `Evaluation.places`. */
  forecast(place: number, slot: number): Record<ReferenceName, MethodForecast> | null;
  /** Adds the outcome of a row to the table. */
  recordOutcome(place: number, slot: number, outcome: number): void;
}

export function referencesFor(evaluation: Evaluation, steps: number): References {
  const { series, stepsPerHour, places, edges } = evaluation;
  const usual = climatology(evaluation);
  const counts = new Float64Array(places.length * CLASSES * HOURS * 2 * CLASSES);
  const valueAt = (place: number, slot: number) =>
    slot < 0 ? Number.NaN : (series.values[(places[place] as number) * series.slots + slot] as number);
  const hourOfWeek = (slot: number, known: number) =>
    Math.floor(localCalendarStep(series, slot, known).stepOfWeek / stepsPerHour) % WEEK_HOURS;

  /** The row of the table: place, class now, hour and kind of day forecast. */
  const rowIndex = (place: number, slot: number): number => {
    const hour = hourOfWeek(slot + steps, slot);
    const now = classIndex(edges[place] as number[], valueAt(place, slot));
    const weekend = hour >= 5 * HOURS ? 1 : 0;
    return (((place * CLASSES + now) * HOURS + (hour % HOURS)) * 2 + weekend) * CLASSES;
  };

  return {
    forecast(place, slot) {
      const own = edges[place] as number[];
      const now = valueAt(place, slot);
      const lastWeek = valueAt(place, slot + steps - WEEK_HOURS * stepsPerHour);
      const usualNow = usual[place * WEEK_HOURS + hourOfWeek(slot, slot)] as number;
      const usualThen = usual[place * WEEK_HOURS + hourOfWeek(slot + steps, slot)] as number;
      if ([now, lastWeek, usualNow, usualThen].some(Number.isNaN)) return null;
      const row = rowIndex(place, slot);
      const outcomes = counts.subarray(row, row + CLASSES);
      const total = outcomes.reduce((sum, n) => sum + n, 0);
      if (total === 0) return null;
      const likeliest = outcomes.indexOf(Math.max(...outcomes));
      const hard = (value: number): MethodForecast => ({
        class: classIndex(own, value),
        calm: isCalm(own, value) ? 1 : 0,
        confidence: null,
      });
      return {
        persistence: hard(now),
        last_week: hard(lastWeek),
        climatology: hard(usualThen),
        // Where the usual value is 0 there is no ratio.
        ratio: hard(usualNow > 0 ? (now * usualThen) / usualNow : usualThen),
        table: {
          class: likeliest,
          calm: ((outcomes[0] as number) + (outcomes[1] as number)) / total,
          confidence: (outcomes[likeliest] as number) / total,
        },
      };
    },
    recordOutcome(place, slot, outcome) {
      if (Number.isNaN(valueAt(place, slot))) return;
      const at = rowIndex(place, slot) + outcome;
      counts[at] = (counts[at] as number) + 1;
    },
  };
}

/** The mean of the training values at each hour of the week, for each place; NaN where there was none. */
function climatology({ series, split, stepsPerHour, places }: Evaluation): Float64Array {
  const sums = new Float64Array(places.length * WEEK_HOURS);
  const counts = new Float64Array(places.length * WEEK_HOURS);
  for (let slot = 0; slot < split; slot++) {
    const hour = Math.floor(localCalendarStep(series, slot).stepOfWeek / stepsPerHour);
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
