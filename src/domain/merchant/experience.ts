/** When the windows of experiences end and open (docs/formulas.md, "Next experience"). */

import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/** Days of past windows that count, and on how many of them a window must have opened in an hour. */
export const WINDOW_DAYS = 28;
const LEAST_DAYS = 2;

/** Rounded up: the last minute counts until its last millisecond. */
export const minutesLeft = (window_end: number, now: number): number =>
  Math.max(0, Math.ceil((window_end - now) / MINUTE));

/**
 * When the next window may open: the next committed one, else the next hour of the day in which windows opened on at
 * least two past days. Null when neither is known.
 */
export function nextWindow(starts: readonly number[], now: number, zone: Zone): number | null {
  const committed = starts.filter((start) => start > now);
  if (committed.length) return Math.min(...committed);
  const days = new Map<number, Set<string>>();
  for (const start of starts.filter((start) => start > now - WINDOW_DAYS * DAY)) {
    const hour = Math.floor(zone.hourOfDay(start));
    days.set(hour, (days.get(hour) ?? new Set()).add(zone.localDate(start)));
  }
  // The next full hour of the local clock.
  const first = now + HOUR - ((now + zone.offset(now)) % HOUR);
  for (let hour = first; hour < first + DAY; hour += HOUR) {
    if ((days.get(Math.floor(zone.hourOfDay(hour)))?.size ?? 0) >= LEAST_DAYS) return hour;
  }
  return null;
}
