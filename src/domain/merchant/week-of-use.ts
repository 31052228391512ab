/** The week of one outlet: how full it usually is in each hour in which it is open. */
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { round } from '../stats/unit-scale.ts';
import { type Hours, openingHours } from '../time/opening-hours.ts';
import type { OpenUse } from './patterns/opening-day.ts';

export interface HourOfUse {
  /** The day on which it opened; 0 is Monday. */
  weekday: number;
  /** The hour of the clock at which it begins; 25 is 01:00 of the day after. */
  hour: number;
  /** Mean share of its capacity in use; null with fewer than five counts. */
  use: number | null;
  /** Quarter hours counted while it was open. */
  n: number;
}

export interface WeekOfUse {
  /** The first and the last quarter hour counted; null without any. */
  first: number | null;
  last: number | null;
  /** All hours of its opening hours on every weekday, Monday first. */
  hours: HourOfUse[];
}

export function weekOfUse(outlet: Hours, uses: readonly OpenUse[]): WeekOfUse {
  const { opens, closes } = openingHours(outlet);
  const sums = new Map<string, { n: number; use: number }>();
  for (const { day, hour, activity } of uses) {
    const key = `${day} ${hour}`;
    const { n, use } = sums.get(key) ?? { n: 0, use: 0 };
    sums.set(key, { n: n + 1, use: use + activity });
  }
  const first = Math.floor(opens);
  const open = Array.from({ length: Math.ceil(closes) - first }, (_, at) => first + at);
  const hours = Array.from({ length: 7 }, (_, weekday) =>
    open.map((hour) => {
      const { n, use } = sums.get(`${weekday} ${hour}`) ?? { n: 0, use: 0 };
      return { weekday, hour, use: n < SMALLEST_COUNT ? null : round(use / n, 2), n };
    }),
  ).flat();
  return { first: uses[0]?.slot ?? null, last: uses.at(-1)?.slot ?? null, hours };
}
