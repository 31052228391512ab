import { DAY, startOfDay, startOfMonth } from './sgt.ts';
import type { Window } from './window.ts';

/** From `from`, up to but without `to`. */
export interface Span {
  from: number;
  to: number;
}

/** A window taken apart: whole months and days, which are summed already, and what is left at its ends. */
export interface Parts {
  months: Span[];
  days: Span[];
  ends: Window[];
}

/** In Singapore's days. The day of `until` is never whole: it may go on. */
export function partsOf({ after, until }: Window): Parts {
  const first = startOfDay(after) + DAY;
  const last = startOfDay(until);
  if (first >= last) return { months: [], days: [], ends: [{ after, until }] };
  const ends = [
    { after, until: first - 1 },
    { after: last - 1, until },
  ];
  const firstMonth = first === startOfMonth(first) ? first : startOfMonth(first, 1);
  const lastMonth = startOfMonth(last);
  if (firstMonth >= lastMonth) return { months: [], days: [{ from: first, to: last }], ends };
  const days = [
    { from: first, to: firstMonth },
    { from: lastMonth, to: last },
  ];
  return {
    months: [{ from: firstMonth, to: lastMonth }],
    days: days.filter(({ from, to }) => from < to),
    ends,
  };
}
