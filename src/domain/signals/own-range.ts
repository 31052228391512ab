import { HOUR } from '../time/slot.ts';
import type { PocketSignal } from './signal.ts';

/**
 * The usual range of something that is measured, learned from its own past: one value an hour for three weeks
 * (docs/formulas.md, "Learned scales").
 */
export interface Range {
  low: number;
  high: number;
}

/** From a low value to a high one of ordinary weeks, in the signal's unit. */
export type Priors = Partial<Record<PocketSignal, Range>>;

export interface OwnRange extends Range {
  /** The hour of the first value that was ever added, epoch milliseconds. */
  since: number;
  /** The hour of the newest value. */
  hour: number;
  values: number[];
}

/** Three weeks: the range follows the season, and a holiday week does not set it alone. */
const KEPT_HOURS = 21 * 24;
/** Nearly the least and the greatest: a single odd value must not set the scale. */
const LOW_SHARE = 0.05;
const HIGH_SHARE = 0.98;
/** A prior counts as much as this many hours of the past. */
const PRIOR_HOURS = 72;

/** Adds a value unless its hour has one already; null when nothing changes. */
export function addToRange(own: OwnRange | undefined, time: number, value: number): OwnRange | null {
  const hour = Math.floor(time / HOUR) * HOUR;
  if (own && own.hour >= hour) return null;
  const values = [...(own?.values ?? []), value].slice(-KEPT_HOURS);
  const sorted = values.toSorted((a, b) => a - b);
  return {
    since: own?.since ?? hour,
    hour,
    values,
    low: quantile(sorted, LOW_SHARE),
    high: quantile(sorted, HIGH_SHARE),
  };
}

/** Between the two nearest values of a sorted list. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? 0;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** The range as far as it is known: the prior at first, its own past more and more. */
export function rangeWithPrior(own: OwnRange | undefined, prior: Range): Range {
  if (!own) return prior;
  const share = own.values.length / (own.values.length + PRIOR_HOURS);
  return {
    low: prior.low + share * (own.low - prior.low),
    high: prior.high + share * (own.high - prior.high),
  };
}
