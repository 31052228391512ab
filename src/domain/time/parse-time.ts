import { dateOf } from './sgt.ts';

/** Times as operators type them. */
const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2})?$/;
const CLOCK = /^\d{2}:\d{2}$/;

/** Completes the message "time must be …". */
export const TIME_FORMATS = 'HH:MM or YYYY-MM-DD HH:MM in Singapore, or ISO 8601 with a zone';

/**
 * Epoch milliseconds, or undefined for anything else. A time without a date is today's, one without a zone is
 * Singapore's.
 */
export function parseTime(text: string, now: number): number | undefined {
  const full = CLOCK.test(text) ? `${dateOf(now)}T${text}` : text;
  const [, date, clock] = ZONED.exec(full) ?? LOCAL.exec(full) ?? [];
  if (!date || !clock || !isDay(date) || clock > '23:59') return undefined;
  const zoned = ZONED.test(full) ? full : `${full}+08:00`;
  const time = Date.parse(zoned.replace(' ', 'T'));
  return Number.isFinite(time) ? time : undefined;
}

/** Date.parse alone would read 30 February as a day in March. */
function isDay(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date);
}
