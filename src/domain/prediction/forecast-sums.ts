// Sums over revealed forecasts, by pocket, generator, type and whether they are shadow forecasts.

import type { Sums } from '../stats/rollup.ts';
import { type ErrorType, errorTypes } from './error-taxonomy.ts';

/** From this accuracy on a forecast counts as right. */
export const HIT = 0.5;

/** What a forecast needs to be counted in a report of accuracy: then it is eligible. */
export const BAR = { confidence: 0.68, completeness: 0.75 } as const;

/** The tenths of confidence that eligible forecasts can be in. */
export const tenths = [6, 7, 8, 9] as const;
type Tenth = (typeof tenths)[number];

/** Simple rules that forecasts are compared with beside the naive baseline. Their scores are computed at the reveal. */
export const simpleRules = ['persistence', 'last_week'] as const;
export type SimpleRule = (typeof simpleRules)[number];

/** Sums of scored forecasts that are also kept of those for waking hours alone: the rest of each is of nights. */
type WakingSum =
  | 'scored'
  | 'hits'
  | 'baseline_hits'
  | `${SimpleRule}_${'scored' | 'hits' | 'service_hits'}`
  | `eligible_${'scored' | 'hits' | 'baseline_hits'}`;

/** `mqs` is the quality of the moment that a forecast was sealed in. MQS, scores and confidence are in units of 1/UNIT. */
export type ForecastSum =
  /** Of all: scored or inconclusive; then of the scored ones. */
  | 'revealed'
  | 'scored'
  | 'hits'
  | 'score'
  | 'baseline_hits'
  /** Squared differences between confidence and hit (1 or 0), in units of 1/UNIT: the sum behind the Brier score. */
  | 'squared_error'
  /** Of the scored ones that the rule forecasts too: how many, its own hits and those of the service. */
  | `${SimpleRule}_${'scored' | 'hits' | 'service_hits'}`
  /** Sealed and not yet revealed. */
  | 'open'
  /** Revealed and eligible; then of those that were scored as well. */
  | 'eligible'
  | 'eligible_baseline_hits'
  | 'mqs'
  | 'mqs_hits'
  | `${'scored' | 'hits' | 'confidence'}_${Tenth}`
  | `waking_${WakingSum}`
  /** Misses by cause, of all and of the eligible ones. */
  | ErrorType
  | `eligible_${ErrorType}`;

export interface ForecastKey {
  pocket_id: string;
  generator: string;
  prediction_type: string;
  shadow: number;
}

/** What the share of eligible forecasts that came true is made from. */
export const headlineSums = [
  'eligible',
  'eligible_baseline_hits',
  'waking_eligible_scored',
  'waking_eligible_hits',
  'waking_eligible_baseline_hits',
  ...tenths.flatMap((tenth) => [`scored_${tenth}`, `hits_${tenth}`] as const),
] as const satisfies ForecastSum[];
export type HeadlineSum = (typeof headlineSums)[number];

/** The same, and that of all forecasts whatever their confidence, beside each simple forecast of the same outcomes. */
export const overviewSums = [
  ...headlineSums,
  ...(['scored', 'hits', 'baseline_hits', 'squared_error'] as const),
  ...(['waking_scored', 'waking_hits', 'waking_baseline_hits'] as const),
  ...simpleRules.flatMap(
    (rule) =>
      [
        ...([`${rule}_scored`, `${rule}_hits`, `${rule}_service_hits`] as const),
        ...([`waking_${rule}_scored`, `waking_${rule}_hits`, `waking_${rule}_service_hits`] as const),
      ] as const,
  ),
] as const satisfies ForecastSum[];
export type OverviewSum = (typeof overviewSums)[number];

/** What a report of accuracy is made from. */
export const accuracySums = [
  ...overviewSums,
  'mqs',
  'mqs_hits',
  ...tenths.map((tenth) => `confidence_${tenth}` as const),
  ...errorTypes.map((type) => `eligible_${type}` as const),
] as const satisfies ForecastSum[];
export type AccuracySum = (typeof accuracySums)[number];

/** What the accuracy of a group, such as a pocket, is made from. */
export const groupSums = [
  ...headlineSums,
  ...(['scored', 'hits', 'baseline_hits', 'waking_scored', 'waking_hits', 'waking_baseline_hits'] as const),
  ...simpleRules.flatMap((rule) => [`${rule}_scored`, `${rule}_hits`] as const),
] as const satisfies AccuracySum[];
export type GroupSum = (typeof groupSums)[number];

/** Whether the rows were written afterwards, with the history of the first start, or as their time came. */
export interface Origin {
  backfilled: boolean;
}

export type OverviewRow = Pick<ForecastKey, 'prediction_type'> & Origin & Sums<OverviewSum>;
export type AccuracyRow = Pick<ForecastKey, 'generator' | 'prediction_type'> & Origin & Sums<AccuracySum>;
export type PocketAccuracyRow = Pick<ForecastKey, 'pocket_id'> & Sums<GroupSum>;
