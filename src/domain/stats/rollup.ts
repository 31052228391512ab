// Arithmetic of rollups: running totals that are stored at the end of every half hour, or of a day (src/store/rollup). The
// sum over a span is the difference between two of them, and the rows between them and the ends of the span.
import { DAY, MINUTE } from '../time/slot.ts';
import type { Span } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import { round } from './unit-scale.ts';

/** Aligned to UTC. Days of every zone whose offset is made of half hours are made of whole periods. */
export const PERIOD = 30 * MINUTE;

/** The start of the period that `time` lies in. */
export const periodStart = (time: number): number => Math.floor(time / PERIOD) * PERIOD;

/**
 * How long every half hour of a table stays that has days alone of the time before: the windows that move with every half
 * hour, of a day and those of the equilibrium, begin within it.
 */
export const FINE_TIME = 2 * DAY;

/**
 * Whether a day begins where this period ends: one of the city or one of UTC, since answers are about both. Where clocks
 * are off by a quarter hour from UTC's half hours, it is the last period to end before the day begins.
 */
export const isDayEnd = (periodEnd: number, zone: Zone): boolean =>
  periodEnd % DAY === 0 || zone.startOfDay(periodEnd + PERIOD - 1) >= periodEnd;

/** What a pocket's rows add up to. Minutes, hours and scores are in units of 1/UNIT. */
export type PocketSum =
  | 'readings'
  | 'anomalies'
  /** The calm of the readings. */
  | 'calm'
  | 'emissions'
  | 'silences'
  /** Slots at which nothing was decided. */
  | 'quiet_hours'
  | 'already_speaking'
  /** Silences by their verdict; `unjudged` had too few readings for one. */
  | 'vindicated'
  | 'missed'
  | 'unjudged'
  /** Lines by their verdict. */
  | 'lines_served'
  | 'lines_failed'
  | 'lines_unjudged'
  | 'attention_minutes'
  /** Scored forecasts, by the slot that they were for. */
  | 'due'
  | 'due_score'
  /** Readings in the hour after each package, and those about as calm as when it was said, or calmer. */
  | 'readings_after'
  | 'calm_after'
  /** Of the commitments whose window ended. */
  | 'idle_hours'
  | 'reclaimed_hours';

/** Of the whole network, by the reason of the silence. */
export type ReasonSum = 'silences' | 'vindicated' | 'missed' | 'unjudged';

/** Of the whole network, by tier. */
export type TierSum = 'emissions';

/** Of the whole network, by what became of the lines that were judged. */
export type OutcomeSum = 'lines';

export type Sums<S extends string> = Record<S, number>;

/** Fractions are summed as whole numbers, so that the order does not matter. None has more than four decimals. */
export const UNIT = 10_000;

/** The mean of something summed in units of 1/UNIT; null when there is nothing to average. */
export const meanFromSum = (sum: number, count: number): number | null =>
  count > 0 ? round(sum / UNIT / count) : null;

export const roundedShare = (part: number, total: number): number | null =>
  total > 0 ? round(part / total) : null;

export function addSums<S extends string>(
  to: Sums<S>,
  from: Readonly<Partial<Sums<S>>>,
  names: readonly S[],
  sign: 1 | -1 = 1,
): void {
  for (const name of names) to[name] += sign * (from[name] ?? 0);
}

export const zeroSums = <S extends string>(names: readonly S[]): Sums<S> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Sums<S>;

/** Several sums over all rows. */
export function totalsOfRows<S extends string>(
  rows: readonly Readonly<Partial<Sums<S>>>[],
  names: readonly S[],
): Sums<S> {
  const sums = zeroSums(names);
  for (const row of rows) addSums(sums, row, names);
  return sums;
}

/** One sum over all rows. */
export const sumRows = <S extends string>(rows: readonly Readonly<Sums<S>>[], name: S): number =>
  rows.reduce((total, row) => total + row[name], 0);

/** The half hours at which the whole periods of a span begin and end, of those that end by `rolledUpTo`. */
export const wholePeriods = (span: Span, rolledUpTo: number): Span => ({
  from: periodStart(span.from + PERIOD - 1),
  to: Math.min(periodStart(span.to), rolledUpTo),
});

/**
 * Splits a span: `totals`, two times whose totals are subtracted; `added`, what is left of the span before and after
 * them; `removed`, what the totals have beyond the span. `near`: the times with totals that are nearest to the ends of
 * the span. Where these are farther away than the span is long, its rows are fewer than theirs.
 */
export function splitSpan(
  span: Span,
  near: Span,
): { totals: Span | null; added: readonly Span[]; removed: readonly Span[] } {
  const { from, to } = span;
  if (from >= to) return { totals: null, added: [], removed: [] };
  if (to - from <= Math.abs(near.from - from) + Math.abs(near.to - to))
    return { totals: null, added: [span], removed: [] };
  const isSpan = (one: Span): boolean => one.from < one.to;
  return {
    totals: near,
    added: [
      { from, to: near.from },
      { from: near.to, to },
    ].filter(isSpan),
    removed: [
      { from: near.from, to: from },
      { from: to, to: near.to },
    ].filter(isSpan),
  };
}
