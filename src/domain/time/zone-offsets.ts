/**
 * The UTC offsets of a time zone. `Intl` takes microseconds for one, and a backfill asks millions of times, so the clock
 * changes of a year are found once, by bisection, and kept.
 */
import { DAY } from './slot.ts';

/** An offset in milliseconds, which applies from `from` until the next period. */
export interface OffsetPeriod {
  from: number;
  offset: number;
}

/** Shorter than the time between any two clock changes of a zone, so that a step crosses at most one. */
const STEP = 7 * DAY;

export function offsetTable(timeZone: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const years = new Map<number, OffsetPeriod[]>();
  // The period of the last lookup: nearly every lookup is near the one before it.
  let [from, until, current] = [0, 0, 0];

  function yearPeriods(year: number): OffsetPeriod[] {
    let periods = years.get(year);
    if (!periods) {
      periods = findPeriods(startOfYear(year), startOfYear(year + 1), (time) =>
        offsetIn(format.format(time)),
      );
      years.set(year, periods);
    }
    return periods;
  }

  function offset(time: number): number {
    if (time >= from && time < until) return current;
    const year = new Date(time).getUTCFullYear();
    const periods = yearPeriods(year);
    const at = periods.findLastIndex((period) => period.from <= time);
    const period = periods[at];
    // Not a time, such as NaN.
    if (!period) return Number.NaN;
    from = period.from;
    until = periods[at + 1]?.from ?? startOfYear(year + 1);
    current = period.offset;
    return current;
  }

  function offsetsBetween(start: number, end: number): OffsetPeriod[] {
    const found = [{ from: start, offset: offset(start) }];
    const last = new Date(Math.max(start, end)).getUTCFullYear();
    for (let year = new Date(start).getUTCFullYear(); year <= last; year++)
      for (const period of yearPeriods(year))
        if (period.from > start && period.from < end && period.offset !== found.at(-1)?.offset)
          found.push(period);
    return found;
  }

  return { offset, offsetsBetween };
}

// Date.UTC would read the years 0 to 99 as those of the 20th century.
const startOfYear = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);

/** Milliseconds in 'GMT+05:45' at the end of a text; seconds occur in years before 1972. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text) ?? [];
  const amount = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0);
  return (sign === '-' ? -1 : 1) * amount * 1000;
}

function findPeriods(start: number, end: number, offsetAt: (time: number) => number): OffsetPeriod[] {
  const periods = [{ from: start, offset: offsetAt(start) }];
  for (let time = start; time < end; time += STEP) {
    let [low, high] = [time, Math.min(time + STEP, end - 1)];
    const [before, after] = [offsetAt(low), offsetAt(high)];
    if (before === after) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    periods.push({ from: high, offset: after });
  }
  return periods;
}
