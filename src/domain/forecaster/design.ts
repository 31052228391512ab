import type { Scale } from './level-scale.ts';

/** What a forecaster is asked to do. It never changes while one lives: its memory is laid out by it. */
export interface Design {
  /** Minutes between two slots; a divisor of 60. */
  stepMinutes: number;
  /** How far ahead to forecast, in steps, ascending. */
  horizons: readonly number[];
  /** How many classes a place can be in. */
  classes: number;
  /** Which classes are calm. When given, the class probabilities are made to agree with the calm one. */
  calmClasses?: readonly boolean[];
  /** How many further numbers (weather, say) come with each reading; those past MOST_EXOGENOUS are left out. */
  exogenous: number;
  /** How each place's value is read. */
  scales: readonly Scale[];
}

/** What was measured at one place in one slot. Anything may be missing. */
export interface Sample {
  value: number | null;
  class: number | null;
  calm: boolean | null;
  exogenous?: readonly (number | null)[];
}

export interface Forecast {
  /** Probability of each class; they add up to 1. */
  classes: number[];
  calm: number;
  /** The level expected, in the unit of the place's value; null while nothing was seen. */
  value: number | null;
  /** The chance that the likeliest class comes true. Near 1 / classes while little was seen. */
  confidence: number;
}

/** Enough for the weather; more columns cost time with the square of their number. */
export const MOST_EXOGENOUS = 6;

/** The lengths that follow from a design. */
export interface Extent {
  /** Steps in an hour, a day, a week. */
  hour: number;
  day: number;
  week: number;
  places: number;
  horizons: number;
  longest: number;
  classes: number;
  exogenous: number;
  /** How many slots a place remembers of its levels, surprises, classes and exogenous numbers. */
  rings: { levels: number; surprises: number; classes: number; exogenous: number };
}

export function extentOf(design: Design): Extent {
  const { stepMinutes, horizons, classes, exogenous, scales, calmClasses } = design;
  const hour = 60 / stepMinutes;
  if (!Number.isInteger(hour)) throw new RangeError('stepMinutes must divide 60');
  if (horizons.length === 0 || horizons.some((h) => !Number.isInteger(h) || h < 1 || h > 24 * hour))
    throw new RangeError('horizons must be whole steps from 1 to a day');
  if (!Number.isInteger(classes) || classes < 2 || classes > 16)
    throw new RangeError('classes must be from 2 to 16');
  if (calmClasses !== undefined && calmClasses.length !== classes)
    throw new RangeError('calmClasses must have an entry for each class');
  const week = 168 * hour;
  return {
    hour,
    day: 24 * hour,
    week,
    places: scales.length,
    horizons: horizons.length,
    longest: Math.max(...horizons),
    classes,
    exogenous: Math.min(exogenous, MOST_EXOGENOUS),
    rings: { levels: 2 * week, surprises: week + 1, classes: week, exogenous: 3 * hour + 1 },
  };
}
