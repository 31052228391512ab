/** What the patterns of an outlet share (docs/formulas.md, "Observed patterns"). */

import type { PrimaryState } from '../../atmosphere/primary-state.ts';
import type { Zone } from '../../time/zone.ts';
import type { Confidence } from '../confidence.ts';

export const patternKinds = ['quiet_window', 'rain_sensitivity', 'dna_descriptor', 'hours_overlap'] as const;
export type PatternKind = (typeof patternKinds)[number];

/** Something that recurs in an outlet's history. */
export interface Pattern {
  kind: PatternKind;
  /** Contains the sample count n. */
  text: string;
  confidence: Confidence;
  /** The evidence, in words. */
  basis: string;
  /** Of a quiet window alone: what `text` and `basis` say, as data. */
  window?: QuietWindow;
}

/** Hours of a weekday in which an outlet is quiet, with the evidence. */
export interface QuietWindow {
  /** On which it opened; 0 is Monday. */
  weekday: number;
  /** 'HH:MM'; `to` is before `from` where the window ends after midnight. */
  from: string;
  to: string;
  /** Weeks in which it was quiet, of those in which it was counted. */
  weeks_quiet: number;
  weeks_seen: number;
  /** How far its use was under the same hours of other days, and under its own mean while open: 0.6 is 60 %. */
  under_other_days: number;
  under_own_mean: number;
  /** Quarter hours counted. */
  n: number;
  /** The first day counted, 'YYYY-MM-DD'. */
  since: string;
}

/** Share of the outlet's capacity in use in a slot. */
export interface OutletUse {
  slot: number;
  activity: number;
}

/** The outlet's pocket in a slot; null where not observed. */
export interface PocketQuarter {
  slot: number;
  rain_mm: number | null;
  footfall: number | null;
  calm: number | null;
  primary_state: PrimaryState | null;
}

/** Days of history that patterns are computed from. */
export const PATTERN_DAYS = 28;
/** A pattern must show on at least this many days. */
export const LEAST_DAYS = 3;

/**
 * By the standard error of the daily values. Slots of one day are strongly correlated, so days are the sample.
 */
export function dailyConfidence(days: readonly number[]): Confidence {
  if (days.length < LEAST_DAYS) return 'low';
  const error = sampleDeviation(days) / Math.sqrt(days.length);
  if (days.length >= 7 && error <= 0.05) return 'high';
  return error <= 0.12 ? 'medium' : 'low';
}

/** The standard deviation of a sample; 0 for one value. */
export function sampleDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** For each day the sum of some values and of what they are compared with. */
export class DailyRatios {
  readonly #days = new Map<number, { part: number; whole: number }>();
  readonly #zone: Zone;

  constructor(zone: Zone) {
    this.#zone = zone;
  }

  add(slot: number, part: number, whole: number): void {
    const day = this.#zone.startOfDay(slot);
    const sum = this.#days.get(day) ?? { part: 0, whole: 0 };
    this.#days.set(day, { part: sum.part + part, whole: sum.whole + whole });
  }

  get count(): number {
    return this.#days.size;
  }

  /** The ratio of each day that has a comparison. */
  ratios(): number[] {
    return [...this.#days.values()].flatMap(({ part, whole }) => (whole > 0 ? [part / whole] : []));
  }

  /** The ratio of all days together; null without a comparison. */
  ratio(): number | null {
    let [parts, wholes] = [0, 0];
    for (const { part, whole } of this.#days.values()) {
      parts += part;
      wholes += whole;
    }
    return wholes > 0 ? parts / wholes : null;
  }
}
