import {
  type CalendarStep,
  calendarStepAt,
  fitScale,
  type LevelScale,
  quantile,
} from '../../src/domain/forecaster/index.ts';
import { CsvError } from '../../src/sources/csv.ts';
import type { Series } from './series.ts';

/** How a file is judged: learn from the first 70 % of its time, be scored on the rest while learning goes on. */
export const TRAINING_SHARE = 0.7;
export const HORIZON_HOURS = [1, 2, 3] as const;
export const CLASSES = 4;
export const CALM_CLASSES = [true, true, false, false] as const;
const QUARTILES = [0.25, 0.5, 0.75] as const;
/** With fewer values before the split a place has no quartiles worth the name. */
const LEAST_TRAINING = 24;

export interface Judged {
  series: Series;
  /** The first slot of the test. */
  split: number;
  stepsPerHour: number;
  /** Numbers of the places that can be judged, in the series. */
  places: number[];
  /** For each of them, the three values that part its classes; the middle one parts calm from the rest. */
  edges: number[][];
  scales: LevelScale[];
}

export function judged(series: Series): Judged {
  const split = Math.floor(series.slots * TRAINING_SHARE);
  const places: number[] = [];
  const edges: number[][] = [];
  const scales: LevelScale[] = [];
  for (let place = 0; place < series.places.length; place++) {
    const from = place * series.slots;
    const sorted = series.values
      .slice(from, from + split)
      .filter((value) => !Number.isNaN(value))
      .sort();
    if (sorted.length < LEAST_TRAINING) continue;
    const parts = QUARTILES.map((share) => edgeOf(sorted, share));
    places.push(place);
    edges.push(parts);
    scales.push(fitScale(sorted, parts[1] ?? null, parts));
  }
  if (places.length === 0)
    throw new CsvError(`no place has ${LEAST_TRAINING} values in the first 70 % of the time`);
  return { series, split, stepsPerHour: 60 / series.stepMinutes, places, edges, scales };
}

/**
 * A quartile; but where nothing lies below it (most rain readings are 0, and so is their median) the edge
 * moves up to halfway to the next value, so that the commonest value is the calm one.
 */
function edgeOf(sorted: Float64Array, share: number): number {
  const edge = quantile(sorted, share);
  const lowest = sorted[0] as number;
  if (edge > lowest) return edge;
  const next = sorted.find((value) => value > lowest);
  return next === undefined ? lowest + 1 : (lowest + next) / 2;
}

export const classOf = (edges: readonly number[], value: number): number =>
  edges.reduce((sum, edge) => sum + (value >= edge ? 1 : 0), 0);

export const isCalm = (edges: readonly number[], value: number): boolean => value < (edges[1] as number);

/** A slot of the series on the clock that was known at slot `known`. */
export function momentOf(
  { stepMinutes, firstSlot, offsetMinutes, holiday }: Series,
  slot: number,
  known = slot,
): CalendarStep {
  const at = (holidayThere: boolean) =>
    calendarStepAt(firstSlot + slot, stepMinutes, offsetMinutes[known] as number, holidayThere);
  if (holiday[known] !== 1) return at(false);
  // A file marks a holiday row by row: past midnight nothing is known of tomorrow's mark.
  const day = (24 * 60) / stepMinutes;
  const start = calendarStepAt(
    firstSlot + known,
    stepMinutes,
    offsetMinutes[known] as number,
    false,
  ).stepOfWeek;
  return at((start % day) + (slot - known) < day);
}
