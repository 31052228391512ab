import { type CalendarStep, calendarStepAt, type LevelScale } from '../../src/domain/forecaster/index.ts';
import { CsvError } from '../../src/sources/core/rows/table.ts';
import { fitScale, quantile } from './fit-scale.ts';
import type { Series } from './series.ts';

/**
 * The evaluation protocol (docs/forecast.md): learning from the first 70 % of the time, scoring on the rest while
 * learning continues. The help text of scripts/skill.ts describes it to users.
 */
const TRAINING_SHARE = 0.7;
export const HORIZON_HOURS = [1, 2, 3] as const;
export const CLASSES = 4;
export const CALM_CLASSES = [true, true, false, false] as const;
const QUARTILES = [0.25, 0.5, 0.75] as const;
/** A place with fewer values before the split is left out: its quartiles would be unreliable. */
const MIN_TRAINING = 24;

export interface Evaluation {
  series: Series;
  /** The first slot of the test. */
  split: number;
  stepsPerHour: number;
  /** Indices, in the series, of the places that are evaluated. */
  places: number[];
  /** For each of them, the three values between its classes; below the middle one is calm. */
  edges: number[][];
  scales: LevelScale[];
}

export function prepareEvaluation(series: Series): Evaluation {
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
    if (sorted.length < MIN_TRAINING) continue;
    const placeEdges = QUARTILES.map((share) => quantileEdge(sorted, share));
    places.push(place);
    edges.push(placeEdges);
    scales.push(fitScale(sorted, placeEdges[1] ?? null, placeEdges));
  }
  if (places.length === 0)
    throw new CsvError(`no place has ${MIN_TRAINING} values in the first 70 % of the time`);
  return { series, split, stepsPerHour: 60 / series.stepMinutes, places, edges, scales };
}

/**
 * A quantile. Where nothing lies below it (most rain readings are 0, and so is their median) the edge moves up to
 * halfway to the next value, so that the most frequent value is the calm one.
 */
function quantileEdge(sorted: Float64Array, share: number): number {
  const edge = quantile(sorted, share);
  const lowest = sorted[0] as number;
  if (edge > lowest) return edge;
  const next = sorted.find((value) => value > lowest);
  return next === undefined ? lowest + 1 : (lowest + next) / 2;
}

export const classIndex = (edges: readonly number[], value: number): number =>
  edges.reduce((sum, edge) => sum + (value >= edge ? 1 : 0), 0);

export const isCalm = (edges: readonly number[], value: number): boolean => value < (edges[1] as number);

/** A slot of the series in the local calendar, as far as it was known at slot `known`. */
export function localCalendarStep(
  { stepMinutes, firstSlot, offsetMinutes, holiday }: Series,
  slot: number,
  known = slot,
): CalendarStep {
  const stepWith = (isHoliday: boolean) =>
    calendarStepAt(firstSlot + slot, stepMinutes, offsetMinutes[known] as number, isHoliday);
  if (holiday[known] !== 1) return stepWith(false);
  // A file marks holidays row by row, so at `known` nothing says whether the day after is one.
  const day = (24 * 60) / stepMinutes;
  const start = calendarStepAt(
    firstSlot + known,
    stepMinutes,
    offsetMinutes[known] as number,
    false,
  ).stepOfWeek;
  return stepWith((start % day) + (slot - known) < day);
}
