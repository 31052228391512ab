/**
 * What is usual: the mean calm of the same hour of the same weekday in the weeks before (docs/formulas.md, "Usual calm").
 */
import type { Span } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import { meanOf, type Sums } from './rollup.ts';
import { round } from './unit-scale.ts';

/** As far back as norms remember (norm.ts). */
const USUAL_WEEKS = 8;
/** Fewer weeks are not called usual, as with norms. */
export const LEAST_WEEKS = 2;

export type CalmSums = Sums<'readings' | 'calm'>;

export interface UsualCalm {
  /** Null under two weeks. */
  calm: number | null;
  /** Weeks in which the hour was read. */
  weeks: number;
}

/** The 24 hours that the clock of a local day shows. One that clocks skip is empty, one that they show twice lasts longer. */
export const hoursOfDay = (day: number, zone: Zone): Span[] =>
  Array.from({ length: 24 }, (_, hour) => ({ from: zone.atHour(day, hour), to: zone.atHour(day, hour + 1) }));

/** The same hour of the clock, on the same weekday, in each of the weeks before; the latest first. */
export const sameHourBefore = (day: number, hour: number, zone: Zone): Span[] =>
  Array.from({ length: USUAL_WEEKS }, (_, week) => ({
    from: zone.atHour(day, hour, -7 * (week + 1)),
    to: zone.atHour(day, hour + 1, -7 * (week + 1)),
  }));

/** Every reading counts alike, so that an hour with a gap weighs less. */
export function usualCalm(hours: readonly CalmSums[]): UsualCalm {
  const read = hours.filter(({ readings }) => readings > 0);
  const total = (name: keyof CalmSums) => read.reduce((sum, hour) => sum + hour[name], 0);
  return {
    calm: read.length < LEAST_WEEKS ? null : meanOf(total('calm'), total('readings')),
    weeks: read.length,
  };
}

export const comparisons = ['calmer', 'as_usual', 'less_calm'] as const;
export type Comparison = (typeof comparisons)[number];

/** A smaller difference from the usual is not told: single readings vary by more. */
const NOTICEABLE = 0.05;

export function compareWithUsual(calm: number, usual: number): { difference: number; compared: Comparison } {
  const difference = round(calm - usual);
  if (Math.abs(difference) < NOTICEABLE) return { difference, compared: 'as_usual' };
  return { difference, compared: difference > 0 ? 'calmer' : 'less_calm' };
}

/** The runs of hours whose usual calm is at least `level`. */
export function usuallyCalm(hours: readonly (Span & Pick<UsualCalm, 'calm'>)[], level: number): Span[] {
  const runs: Span[] = [];
  for (const { from, to, calm } of hours) {
    if (calm === null || calm < level || from >= to) continue;
    const last = runs.at(-1);
    if (last?.to === from) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}
