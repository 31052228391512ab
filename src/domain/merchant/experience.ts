import { DAY, dateOf, HOUR, hourOfDay, MINUTE } from '../time/sgt.ts';

/** How far back a pocket's own windows tell when the next may come, and on how many days one must have opened. */
export const WINDOW_DAYS = 28;
const LEAST_DAYS = 2;

/** A window has a minute left until its last millisecond. */
export const minutesLeft = (window_end: number, now: number): number =>
  Math.max(0, Math.ceil((window_end - now) / MINUTE));

/**
 * When the next window may open: when one is agreed to, or else the first coming hour of the day in which windows
 * opened on two days at least. Null when neither is known.
 */
export function nextWindow(starts: readonly number[], now: number): number | null {
  const agreed = starts.filter((start) => start > now);
  if (agreed.length) return Math.min(...agreed);
  const days = new Map<number, Set<string>>();
  for (const start of starts.filter((start) => start > now - WINDOW_DAYS * DAY)) {
    const hour = Math.floor(hourOfDay(start));
    days.set(hour, (days.get(hour) ?? new Set()).add(dateOf(start)));
  }
  const first = Math.floor(now / HOUR) * HOUR + HOUR;
  for (let hour = first; hour < first + DAY; hour += HOUR) {
    if ((days.get(hourOfDay(hour))?.size ?? 0) >= LEAST_DAYS) return hour;
  }
  return null;
}
