// How long raw signals and rows of sealed entries must be kept, and from which slot on they are.
import { DAY } from '../time/slot.ts';

/**
 * The longest look-back: a report of a month compares it with the two before, 92 days in all, and is still written after
 * an outage of 92 days. Forecasters learn 56 days again, backtests of an outlet take 90, patterns 28. Of sealed rows the
 * same report reads a month, and the longest window of an answer that is not over all time is 90 days.
 */
export const LEAST_KEPT_DAYS = 190;

/** More than a first history may be long (HISTORY_DAYS), and a year that can be compared with the one before. */
export const KEPT_DAYS_ON_SERVER = 400;

/** Whole days of UTC; counted from the newest signal, so that a service which stood still loses nothing. */
export const keepFrom = (newest: number, now: number, days: number): number =>
  Math.floor((Math.min(newest, now) - days * DAY) / DAY) * DAY;
