/** Days and times as people and models name them: 'tomorrow', 'saturday', 'yesterday 22:00', '15:30'. */
import { parseTime } from './parse-time.ts';
import { dayNames } from './periods.ts';
import type { Zone } from './zone.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CLOCK = /^\d{1,2}:\d{2}$/;

export const DAY_FORMS = 'today, yesterday, tomorrow, a weekday, or a date such as 2026-11-11';
export const TIME_FORMS =
  'a clock time such as 15:30, with a day before it where it is not the nearest one (yesterday 22:00, 2026-11-11 22:00), or 2026-11-11T14:00:00Z';

/**
 * 'YYYY-MM-DD' of a day that is named; null for any other text. A weekday is the next one to come, or the last one that
 * was, today included.
 */
export function namedDay(text: string, now: number, zone: Zone, towards: 'past' | 'future'): string | null {
  const name = text.trim().toLowerCase();
  const later = (days: number): string => zone.localDate(zone.startOfDay(now, days));
  if (name === 'today') return later(0);
  if (name === 'tomorrow') return later(1);
  if (name === 'yesterday') return later(-1);
  const weekday = (dayNames as readonly string[]).indexOf(name);
  if (weekday >= 0) {
    const ahead = (weekday - zone.weekday(now) + 7) % 7;
    return later(towards === 'future' || ahead === 0 ? ahead : ahead - 7);
  }
  const noon = DATE.test(name) ? zone.atLocal(name, '12:00') : Number.NaN;
  return Number.isNaN(noon) || zone.localDate(noon) !== name ? null : name;
}

/** The time that is named; null for any other text. A clock time without a day is the nearest one in that direction. */
export function namedTime(text: string, now: number, zone: Zone, towards: 'past' | 'future'): number | null {
  const given = text.trim();
  if (given.toLowerCase() === 'now') return now;
  if (CLOCK.test(given)) return nearestClock(given.padStart(5, '0'), now, zone, towards);
  const [, day = '', clock = ''] = /^([a-z]+) (\d{1,2}:\d{2})$/i.exec(given) ?? [];
  const date = day && namedDay(day, now, zone, towards);
  return parseTime(date ? `${date} ${clock.padStart(5, '0')}` : given, now, zone) ?? null;
}

function nearestClock(clock: string, now: number, zone: Zone, towards: 'past' | 'future'): number | null {
  const today = parseTime(clock, now, zone);
  if (today === undefined) return null;
  if (towards === 'past' ? today <= now : today >= now) return today;
  return zone.atLocal(zone.localDate(zone.startOfDay(now, towards === 'past' ? -1 : 1)), clock);
}
