import type { LevelScale } from './level-scale.ts';

/** The configuration of a forecaster. It is fixed for the forecaster's life: the memory layout follows from it. */
export interface Design {
  /** Minutes between two slots; a divisor of 60. */
  stepMinutes: number;
  /** How far ahead to forecast, in steps, ascending. */
  horizons: readonly number[];
  /** How many classes a place can be in. */
  classes: number;
  /** Which classes are calm. When given, class probabilities are scaled to add up to the probability of calm. */
  calmClasses?: readonly boolean[];
  /** How many further numbers (weather, for example) come with each sample; those past MAX_EXOGENOUS are ignored. */
  exogenous: number;
  /** One for each place: how its value becomes a level. */
  scales: readonly LevelScale[];
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
  /** Probability of calm. */
  calm: number;
  /** The expected value, in the unit of the place's value; null until the place had a value. */
  value: number | null;
  /** The probability of the likeliest class. Near 1 / classes while there are few outcomes to learn from. */
  confidence: number;
}

/** Enough for the weather. The cost of an update grows with the square of the number of columns. */
const MAX_EXOGENOUS = 6;

/** The lengths that follow from a design. `hour`, `day` and `week` are in steps. */
export interface Dimensions {
  hour: number;
  day: number;
  week: number;
  places: number;
  horizons: number;
  classes: number;
  exogenous: number;
  /** How many slots the ring buffers of a place hold. */
  rings: { levels: number; deviations: number; classes: number; exogenous: number };
}

export function designDimensions(design: Design): Dimensions {
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
    classes,
    exogenous: Math.min(exogenous, MAX_EXOGENOUS),
    rings: { levels: 2 * week, deviations: week + 1, classes: week, exogenous: 3 * hour + 1 },
  };
}
