import type { Zone } from './zone.ts';

/** Times as operators type them. */
const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2}))?$/;
const CLOCK = /^\d{2}:\d{2}$/;

/** Completes the message "time must be …"; `city` is the city's name. */
export const timeFormats = (city: string): string =>
  `HH:MM or YYYY-MM-DD HH:MM in ${city}, or ISO 8601 with a zone`;

/**
 * Epoch milliseconds, or undefined for anything else. A time without a date is today's, one without a zone is the
 * city's. A local time that clocks skip is the first instant after the gap; one that they show twice is the first.
 */
export function parseTime(text: string, now: number, zone: Zone): number | undefined {
  const full = CLOCK.test(text) ? `${zone.localDate(now)}T${text}` : text;
  const [, date, clock, seconds] = LOCAL.exec(full) ?? ZONED.exec(full) ?? [];
  if (!date || !clock || !isDay(date) || clock.slice(-2) > '59' || clock > '23:59') return undefined;
  if (ZONED.test(full)) {
    const time = Date.parse(full.replace(' ', 'T'));
    return Number.isFinite(time) ? time : undefined;
  }
  if (seconds !== undefined && seconds > '59') return undefined;
  return zone.atLocal(date, clock) + Number(seconds ?? 0) * 1000;
}

/** Date.parse alone would read 30 February as a day in March. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}
