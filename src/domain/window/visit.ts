/** The time that a visitor asks for, and what follows for a visit (docs/formulas.md, "Windows"). */
import { MAYBE_CALM } from '../atmosphere/calm-band.ts';
import { DAY, HOUR } from '../time/slot.ts';
import { WAKING } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';
import { type ExpectedWindow, USUAL_REACH } from './usual-chance.ts';

/** The last day that can be asked for, as YYYY-MM-DD. */
export const lastDay = (now: number, zone: Zone): string => zone.localDate(now + USUAL_REACH - DAY);

/** An hour of a day without an hour. */
const MIDDAY = 12;

/**
 * The time that is asked for; null for now. An hour without a day is the next time that it comes, a day without an hour
 * its midday, the hour that has begun is now. A text where it cannot be answered for.
 */
export function askedTime(
  now: number,
  { day, hour }: { day?: string | undefined; hour?: number | undefined },
  zone: Zone,
): number | null | string {
  const today = zone.localDate(now);
  if (day === undefined) {
    if (hour === undefined) return null;
    const at = zone.atHour(now, hour);
    return at > now ? at : zone.atHour(now, hour, 1);
  }
  if (day < today || day > lastDay(now, zone)) return `day must be from ${today} to ${lastDay(now, zone)}`;
  if (day === today && hour === undefined) return null;
  const at = zone.atLocal(day, `${String(hour ?? MIDDAY).padStart(2, '0')}:00`);
  if (at > now) return at;
  return at > now - HOUR ? null : `${zone.localClock(at)} of ${day} has passed`;
}

/** Whether a window that is open at a time of the night covers the first waking hour after it: a shorter part is none. */
export function lastsIntoDay(endsAt: number, at: number, zone: Zone): boolean {
  const daysLater = zone.hourOfDay(at) < WAKING.from ? 0 : 1;
  return endsAt >= zone.atHour(at, WAKING.from, daysLater) + HOUR;
}

export const visitAdvices = ['calm', 'may_be_calm', 'later', 'not_soon', 'unknown'] as const;
export type VisitAdvice = (typeof visitAdvices)[number];

/** Should one go at a time? By the chance then, the window that covers it and the next one. */
export function visitAdvice(
  chance: number | null,
  window: ExpectedWindow | null,
  next: ExpectedWindow | null,
): VisitAdvice {
  if (window) return 'calm';
  if (chance === null && !next) return 'unknown';
  if (chance !== null && chance >= MAYBE_CALM) return 'may_be_calm';
  return next ? 'later' : 'not_soon';
}
