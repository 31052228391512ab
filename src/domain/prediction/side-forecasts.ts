import { clamp, ramp, round } from '../stats/unit-scale.ts';

/**
 * The smaller forecasts, each an hour ahead (docs/formulas.md, "Side forecasts"). Each expects the mean of the
 * outcomes that followed the same conditions in the same pocket, shrunk towards a prior while they are few. Two kinds
 * are forecast: probabilities of an event, whose outcome is 0 or 1, and levels in 0..1.
 */

/** Number and sum of the outcomes under one condition key. It is stored as JSON. */
export interface OutcomeSum {
  n: number;
  sum: number;
}

/** From this many outcomes on (about a year of one hour a day) older ones lose weight. */
const MEMORY = 400;
/** The prior counts as this many outcomes. */
const PRIOR_COUNT = 12;

export function addOutcome(before: OutcomeSum | undefined, outcome: number): OutcomeSum {
  const { n, sum } = before ?? { n: 0, sum: 0 };
  const weight = n >= MEMORY ? (MEMORY - 1) / MEMORY : 1;
  return { n: round(n * weight + 1, 4), sum: round(sum * weight + outcome, 4) };
}

/** The mean outcome, shrunk towards `prior` while there are few. */
export const expectedOutcome = (past: OutcomeSum | undefined, prior: number): number =>
  ((past?.sum ?? 0) + PRIOR_COUNT * prior) / ((past?.n ?? 0) + PRIOR_COUNT);

/** The last part of a forecast's id, by which its accuracy is reported. `shadow` ones are on trial. */
export const sideGenerators = {
  quiet_window_60m: { type: 'quiet_window', shadow: false },
  rain_comfort_60m: { type: 'rain_comfort', shadow: false },
  movement_friction_60m: { type: 'movement_friction', shadow: false },
  offer_intensity_60m: { type: 'offer_intensity', shadow: true },
  silence_correctness_60m: { type: 'silence_correctness', shadow: false },
} as const;
export type SideGenerator = keyof typeof sideGenerators;

/** A probability or a level, 0..1, and the condition whose past outcomes it is the mean of. */
export interface SideForecast {
  expected: number;
  filed_under: string;
}

/** What is known of a pocket when a side forecast is made. */
export interface Conditions {
  /** The hour of the local clock, with the fraction. */
  hour: number;
  calm: number;
  /** In the last quarter hour. */
  rain_mm: number | null;
  /** Movement friction, 0..1; null where it was not measured. */
  friction: number | null;
  /** Mean spare capacity of the open outlets, 0..1; null when none is open. */
  spare_capacity: number | null;
  /** The gate that closed; null when the service spoke. */
  gate: string | null;
}

/**
 * The key under which outcomes are summed: the condition and the three hours of the day; null when there is nothing to
 * forecast.
 */
export function conditionKey(generator: SideGenerator, at: Conditions): string | null {
  const part = Math.floor(at.hour / 3);
  switch (generator) {
    case 'quiet_window_60m':
      return `${Math.round(at.calm * 10)} ${part}`;
    case 'rain_comfort_60m':
      return at.rain_mm === null ? null : `${rainNow(at.rain_mm)} ${part}`;
    case 'movement_friction_60m':
      return at.friction === null ? null : `${Math.round(at.friction * 8)} ${part}`;
    case 'offer_intensity_60m':
      return at.spare_capacity === null ? null : `${Math.round(at.spare_capacity * 5)} ${part}`;
    case 'silence_correctness_60m':
      return at.gate === null ? null : `${at.gate} ${part}`;
  }
}

const rainNow = (mm: number): 'dry' | 'wet' | 'pouring' => (mm === 0 ? 'dry' : mm < 1 ? 'wet' : 'pouring');

/** What the naive baseline expects, whatever the conditions. */
export const usualOutcome: Record<SideGenerator, number> = {
  quiet_window_60m: 0.6,
  rain_comfort_60m: 0.93,
  movement_friction_60m: 0.2,
  offer_intensity_60m: 0.5,
  silence_correctness_60m: 0.9,
};

/** The prior of a dry hour, by whether it rains now: rain lasts. */
const dryHour = { dry: usualOutcome.rain_comfort_60m, wet: 0.4, pouring: 0.1 };

/**
 * What is expected before any outcome was seen under these conditions. Calm and rain last longer than an hour, and
 * outcomes of one condition in one pocket are few, so that a prior without the conditions would hide them.
 */
export function priorOutcome(generator: SideGenerator, { calm, rain_mm }: Conditions): number {
  if (generator === 'quiet_window_60m') return clamp(ramp(calm, 0.4, 0.8), 0.02, 0.98);
  if (generator === 'rain_comfort_60m' && rain_mm !== null) return dryHour[rainNow(rain_mm)];
  return usualOutcome[generator];
}

const isProbability = (generator: SideGenerator): boolean =>
  generator !== 'movement_friction_60m' && generator !== 'offer_intensity_60m';

/** For a probability, that of the likelier side; for a level, it grows with the number of outcomes. */
export const sideConfidence = (
  generator: SideGenerator,
  expected: number,
  past: OutcomeSum | undefined,
): number =>
  round(
    isProbability(generator)
      ? Math.max(expected, 1 - expected)
      : 0.9 - 0.5 * (PRIOR_COUNT / ((past?.n ?? 0) + PRIOR_COUNT)),
  );

/** An error of this much in a level scores 0. */
const LEVEL_SCALE = 0.4;

/** A probability scores what it gave to the side that came true; a level loses in proportion to its error. */
export const sideScore = (generator: SideGenerator, expected: number, outcome: number): number =>
  round(
    isProbability(generator)
      ? 1 - Math.abs(expected - outcome)
      : clamp(1 - Math.abs(expected - outcome) / LEVEL_SCALE),
  );
