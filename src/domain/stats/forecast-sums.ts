// Sums over revealed forecasts, by pocket, generator, type and whether they are shadow forecasts.
import { type ErrorType, errorTypes } from '../prediction/error-taxonomy.ts';
import type { PredictionType } from '../prediction/prediction.ts';
import type { Sums } from './rollup.ts';

/** From this accuracy on a forecast counts as right. */
export const HIT = 0.5;

/** What a forecast needs to be counted in a report of accuracy: then it is eligible. */
export const BAR = { confidence: 0.68, completeness: 0.75 } as const;

/** The tenths of confidence that eligible forecasts can be in. */
export const tenths = [6, 7, 8, 9] as const;
type Tenth = (typeof tenths)[number];

/** `mqs` is the quality of the moment that a forecast was sealed in. MQS, scores and confidence are in units of 1/UNIT. */
export type ForecastSum =
  /** Of all: scored or inconclusive; then of the scored ones. */
  | 'revealed'
  | 'scored'
  | 'hits'
  | 'score'
  /** Sealed and not yet revealed. */
  | 'open'
  /** Revealed and eligible; then of those that were scored as well. */
  | 'eligible'
  | 'baseline_hits'
  | 'mqs'
  | 'mqs_hits'
  | `${'scored' | 'hits' | 'confidence'}_${Tenth}`
  /** Misses by cause, of all and of the eligible ones. */
  | ErrorType
  | `eligible_${ErrorType}`;

export interface ForecastKey {
  pocket_id: string;
  generator: string;
  prediction_type: PredictionType;
  shadow: number;
}

/** What a report of accuracy is made from. */
export const accuracySums = [
  'eligible',
  'baseline_hits',
  'mqs',
  'mqs_hits',
  ...tenths.flatMap((tenth) => [`scored_${tenth}`, `hits_${tenth}`, `confidence_${tenth}`] as const),
  ...errorTypes.map((type) => `eligible_${type}` as const),
] as const satisfies ForecastSum[];
export type AccuracySum = (typeof accuracySums)[number];

export type AccuracyRow = Omit<ForecastKey, 'generator'> & Sums<AccuracySum>;
