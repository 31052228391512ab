// Times as feeds write them: ISO 8601 and epochs. Which of them can be when a value was observed is said here alone.
import type { RowFault } from '../measurement.ts';
import { scalarText } from './number.ts';

type BadTime = Extract<RowFault, 'bad_time'>;

/**
 * What feeds write for "none" lies before: 0001, 1900, 1970, and 1980, where the clocks of GPS and DOS begin; so do
 * seconds that are read as milliseconds. A recording may well be of the nineties; that a live value is too old is
 * judged by how long its field stays fresh.
 */
const EARLIEST = Date.UTC(1990, 0, 1);
/** 9999-12-31 stands for "never", and milliseconds that are read as seconds lie further away. */
const LATEST = Date.UTC(2100, 0, 1);

/** Whole milliseconds. */
export const plausibleTime = (time: number): number | BadTime =>
  time >= EARLIEST && time < LATEST ? Math.round(time) : 'bad_time';

/** A time as the feed writes it: with an offset it is an instant, without one a wall-clock time. */
export interface WrittenTime {
  /** As if it were UTC. */
  wall: number;
  /** Minutes ahead of UTC; null where none is written. */
  offset: number | null;
  /** Of an interval: from the time that is written to its end. */
  lasts_ms?: number;
}

export type TimePart =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'millisecond'
  | 'half'
  | 'offset';

export const ISO =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<millisecond>\d{1,3})\d*)?)?\s?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** `shape` has a group for each part of a time. Null for what is no time of the calendar. */
export function writtenTime(text: string, shape: RegExp): WrittenTime | null {
  const groups: Record<string, string | undefined> | undefined = shape.exec(text.trim())?.groups;
  if (!groups) return null;
  const part = (name: TimePart): number => Number(groups[name] ?? 0);
  const [year, month, day, minute, second] = [
    part('year'),
    part('month'),
    part('day'),
    part('minute'),
    part('second'),
  ];
  const milliseconds = Number((groups.millisecond ?? '0').padEnd(3, '0'));
  const hour = to24Hour(part('hour'), groups.half);
  // 24:00 is the midnight that ends the day; a leap second is read as the second before it.
  if (hour === null || hour > 24 || minute > 59 || second > 60) return null;
  if (hour === 24 && minute + second + milliseconds > 0) return null;
  const date = Date.UTC(year, month - 1, day);
  // Date.UTC alone would read 30 February as a day in March, and the year 1 as 1901.
  const check = new Date(date);
  if (check.getUTCFullYear() !== year || check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day)
    return null;
  const wall = date + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000 + milliseconds;
  return { wall, offset: groups.offset === undefined ? null : offsetMinutes(groups.offset) };
}

function to24Hour(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function offsetMinutes(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}

/**
 * An ISO 8601 time. One without an offset of its own is local at `offsetSeconds` east of UTC; where the publisher
 * states no such offset it is not known which moment is meant, and the time is bad.
 */
export function isoTime(value: unknown, offsetSeconds?: number): number | BadTime {
  const written = typeof value === 'string' ? writtenTime(value, ISO) : null;
  if (!written) return 'bad_time';
  const seconds = written.offset === null ? offsetSeconds : written.offset * 60;
  return seconds === undefined ? 'bad_time' : plausibleTime(written.wall - seconds * 1000);
}

/** Seconds from here on would be of the year 5138: they are milliseconds, which several feeds write for seconds. */
const LEAST_MILLISECONDS = 1e11;

/** Seconds or milliseconds since 1970, as a number or as text. 0 is no time. */
export function epochTime(value: unknown, unit: 's' | 'ms' = 's'): number | BadTime {
  const text = scalarText(value) ?? '';
  if (!/^\d{1,15}(\.\d+)?$/.test(text)) return 'bad_time';
  const number = Number(text);
  return plausibleTime(unit === 's' && number < LEAST_MILLISECONDS ? number * 1000 : number);
}
