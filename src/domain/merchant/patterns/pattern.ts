import type { PrimaryState } from '../../atmosphere/primary-state.ts';
import { startOfDay } from '../../time/sgt.ts';
import type { Confidence } from '../confidence.ts';

export const patternKinds = ['quiet_window', 'rain_sensitivity', 'dna_descriptor', 'hours_overlap'] as const;
export type PatternKind = (typeof patternKinds)[number];

/** Something that recurs in an outlet's own history. */
export interface Pattern {
  kind: PatternKind;
  /** Holds the sample count n. */
  text: string;
  confidence: Confidence;
  /** The evidence, in words. */
  basis: string;
}

/** Share of its capacity in use in a quarter hour in which it was open. */
export interface OutletUse {
  slot: number;
  activity: number;
}

/** Its pocket in a quarter hour; null where that was not observed. */
export interface PocketQuarter {
  slot: number;
  rain_mm: number | null;
  footfall: number | null;
  calm: number | null;
  primary_state: PrimaryState | null;
}

/** What patterns are read from. */
export const PATTERN_DAYS = 28;
/** On fewer days nothing can be seen to recur. */
export const LEAST_DAYS = 3;

/**
 * Quarter hours of one day tell much the same, so that days count: how far the mean of the days is likely off, from
 * their number and spread.
 */
export function confidenceOf(days: readonly number[]): Confidence {
  if (days.length < LEAST_DAYS) return 'low';
  const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
  const variance = days.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (days.length - 1);
  const error = Math.sqrt(variance / days.length);
  if (days.length >= 7 && error <= 0.05) return 'high';
  return error <= 0.12 ? 'medium' : 'low';
}

/** A sum over the quarter hours of each day, and what it is held against. */
export class DailyRatios {
  readonly #days = new Map<number, { part: number; whole: number }>();

  add(slot: number, part: number, whole: number): void {
    const day = startOfDay(slot);
    const sum = this.#days.get(day) ?? { part: 0, whole: 0 };
    this.#days.set(day, { part: sum.part + part, whole: sum.whole + whole });
  }

  get count(): number {
    return this.#days.size;
  }

  /** Of each day that has something to be held against. */
  ratios(): number[] {
    return [...this.#days.values()].flatMap(({ part, whole }) => (whole > 0 ? [part / whole] : []));
  }

  /** Of all days together; null when there is nothing to be held against. */
  ratio(): number | null {
    let [parts, wholes] = [0, 0];
    for (const { part, whole } of this.#days.values()) {
      parts += part;
      wholes += whole;
    }
    return wholes > 0 ? parts / wholes : null;
  }
}

export const percent = (share: number): string => `${Math.round(100 * share)} %`;
