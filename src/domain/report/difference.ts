/** What sets a pocket or a period apart (docs/formulas.md, "What sets a pocket apart"). */
import type { PocketSignal } from '../signals/signal.ts';
import type { DayName } from '../time/periods.ts';
import type { WakingPart } from '../time/waking-hours.ts';
import type { ComparedQuality } from './part-means.ts';

/** The measurement that accounts for most of a difference. */
export interface Cause {
  signal: PocketSignal;
  value: number;
  reference: number;
  /** The change of the quality when, by the formula of atmosphere, only this measurement changes from reference to value. */
  effect: number;
}

export interface Difference {
  /** The other pockets in the same hours, or the same hours of the pocket's earlier weeks or months. */
  against: 'network' | 'own_usual';
  quality: ComparedQuality;
  /** Null: every day of the period. */
  day: DayName | null;
  part: WakingPart;
  value: number;
  reference: number;
  /** Value minus reference. */
  difference: number;
  /** The difference that chance explains: from day to day (network), or from week to week (own usual). */
  standard_error: number;
  /** Against the network: the standard deviation between the other pockets, and the place among all, 1 the highest. */
  pocket_spread: number | null;
  rank: number | null;
  of_pockets: number | null;
  /** Against the own usual: the mean difference of the other pockets from their own usual in the same hours. */
  network_difference: number | null;
  /** Null where no single measurement accounts for it. */
  cause: Cause | null;
}

/** Pockets, or days, that a comparison needs. */
export const LEAST_OTHER_POCKETS = 3;
export const LEAST_DAYS = 4;
/** Earlier readings of the same hours of the same day of the week. */
export const LEAST_EARLIER = 2;
/** A difference below this is not felt, whatever its certainty. */
export const LEAST_DIFFERENCE = 0.05;
/**
 * Standard errors that a difference must reach. A report makes many comparisons, of which some are large by chance; against
 * the network the error is known from few days, which needs the wider bound.
 */
export const NETWORK_ERRORS = 4;
export const USUAL_ERRORS = 3;
/** Differences from the own usual that a report names. Against the network it names one for each quality at most. */
export const MOST_FROM_USUAL = 3;
