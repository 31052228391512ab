/** Equilibrium: six dimensions of a pocket and their mean (docs/formulas.md, "Equilibrium"). */

import { type Sensed, senseAgreement } from '../perception/perception.ts';
import { round } from '../stats/unit-scale.ts';

export const dimensions = [
  'atmosphere_calm',
  'restraint_quality',
  'citizen_alignment',
  'prediction_trust',
  'emission_quality',
  'waste_avoidance',
] as const;
export type Dimension = (typeof dimensions)[number];
/** Null: nothing to average. */
export type Dimensions = Record<Dimension, number | null>;
export const directions = ['forming', 'improving', 'stable', 'degrading', 'unknown'] as const;
export type Direction = (typeof directions)[number];

/** Whether the service's speaking and silence improved a pocket. */
export interface Equilibrium {
  dimensions: Dimensions;
  composite: number | null;
  direction: Direction;
}

/** Window of the readings and citizen senses, and window of the verdicts, in hours. */
export const READING_HOURS = 4;
export const VERDICT_HOURS = 24;

/** What a pocket's equilibrium is computed from. */
export interface EquilibriumInput {
  readings: number;
  /** Sum of the readings' calm. */
  calm: number;
  senses: readonly Sensed[];
  /** Silences with a verdict, and those vindicated. */
  judged: number;
  vindicated: number;
  /** Revealed 60-minute projections, and those with an accuracy of at least 0.5. */
  revealed: number;
  hits: number;
  /** Readings in the hour after each package, and those at most 0.1 less calm than at its publication. */
  readings_after: number;
  calm_after: number;
  /** Place-hours that are usually idle in the committed windows, and those that were used. */
  idle_hours: number;
  reclaimed_hours: number;
}

/** `previous` is the composite of the last equilibrium, null where there was none. */
export function scoreEquilibrium(recent: EquilibriumInput, previous: number | null): Equilibrium {
  const read: Dimensions = {
    atmosphere_calm: share(recent.calm, recent.readings),
    restraint_quality: share(recent.vindicated, recent.judged),
    citizen_alignment: senseAgreement(recent.senses),
    prediction_trust: share(recent.hits, recent.revealed),
    emission_quality: share(recent.calm_after, recent.readings_after),
    waste_avoidance: share(Math.min(recent.reclaimed_hours, recent.idle_hours), recent.idle_hours),
  };
  const composite = compositeScore(read);
  return { dimensions: read, composite, direction: equilibriumDirection(composite, previous) };
}

const share = (part: number, whole: number): number | null => (whole > 0 ? round(part / whole) : null);

export function compositeScore(read: Dimensions): number | null {
  const present = dimensions.flatMap((dimension) => read[dimension] ?? []);
  return present.length ? round(present.reduce((sum, value) => sum + value, 0) / present.length) : null;
}

/** Smallest change of the composite that sets a direction: a change of 0.08 in one of four dimensions. */
export const MIN_CHANGE = 0.02;

export function equilibriumDirection(composite: number | null, previous: number | null): Direction {
  if (composite === null) return 'unknown';
  if (previous === null) return 'forming';
  const change = round(composite - previous);
  return change >= MIN_CHANGE ? 'improving' : change <= -MIN_CHANGE ? 'degrading' : 'stable';
}

type DimensionTexts = [absent: string, low: string, middling: string, high: string];

const dimensionTexts: Record<Dimension, DimensionTexts> = {
  atmosphere_calm: [
    'no reading of the last four hours to average',
    'the last four hours were tense',
    'the last four hours were neither calm nor tense',
    'the last four hours were calm',
  ],
  restraint_quality: [
    'no silence of the last day is judged yet',
    'staying silent was mostly wrong over the last day',
    'staying silent was right more often than not',
    'staying silent was right nearly every time',
  ],
  citizen_alignment: [
    'too few people said how it felt',
    'people felt it otherwise than it was read',
    'people felt it partly as it was read',
    'people felt it much as it was read',
  ],
  prediction_trust: [
    'no forecast of the last day is revealed yet',
    'forecasts mostly missed',
    'forecasts held about as often as not',
    'forecasts mostly held',
  ],
  emission_quality: [
    'nothing was said in the last day that can be judged',
    'calm broke after most of what was said',
    'calm held after some of what was said',
    'calm held after most of what was said',
  ],
  waste_avoidance: [
    'no window agreed with a merchant ended in the last day',
    'idle hours mostly stayed idle in the windows agreed with merchants',
    'some idle hours were used in the windows agreed with merchants',
    'many idle hours were used in the windows agreed with merchants',
  ],
};

/** Lower bounds of middling and high, for the words alone: a judgement. */
const levels: Record<Dimension, [middling: number, high: number]> = {
  atmosphere_calm: [0.4, 0.6],
  restraint_quality: [0.5, 0.9],
  citizen_alignment: [0.5, 0.7],
  prediction_trust: [0.4, 0.7],
  emission_quality: [0.4, 0.7],
  waste_avoidance: [0.05, 0.2],
};

/** One line for each dimension, null ones included. */
export function equilibriumReasons(read: Dimensions): Record<Dimension, string> {
  const reason = (dimension: Dimension): string => {
    const value = read[dimension];
    const [absent, low, middling, high] = dimensionTexts[dimension];
    if (value === null) return `${absent}.`;
    const [fromMiddling, fromHigh] = levels[dimension];
    return `${value < fromMiddling ? low : value < fromHigh ? middling : high}.`;
  };
  return Object.fromEntries(dimensions.map((dimension) => [dimension, reason(dimension)])) as Record<
    Dimension,
    string
  >;
}
