// Reads and writes times by a pattern such as `DD.MM.YYYY HH:mm`.
import { FeedShapeError } from '../../core/adapter.ts';
import { offsetAt } from './local-time.ts';

/** A time as the feed writes it: with an offset it is an instant, without one a wall-clock time. */
export interface WrittenTime {
  /** As if it were UTC. */
  wall: number;
  /** Minutes ahead of UTC; null where none is written. */
  offset: number | null;
  /** Of an interval: from the time that is written to its end. */
  lasts_ms?: number;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'half' | 'offset';

const TOKENS: Record<string, { part: Part; pattern: string }> = {
  YYYY: { part: 'year', pattern: '\\d{4}' },
  MM: { part: 'month', pattern: '\\d{2}' },
  M: { part: 'month', pattern: '\\d{1,2}' },
  DD: { part: 'day', pattern: '\\d{2}' },
  D: { part: 'day', pattern: '\\d{1,2}' },
  HH: { part: 'hour', pattern: '\\d{2}' },
  H: { part: 'hour', pattern: '\\d{1,2}' },
  mm: { part: 'minute', pattern: '\\d{2}' },
  ss: { part: 'second', pattern: '\\d{2}' },
  SSS: { part: 'millisecond', pattern: '\\d{3}' },
  A: { part: 'half', pattern: '[AaPp][Mm]' },
  Z: { part: 'offset', pattern: 'Z|[+-]\\d{2}:?\\d{2}' },
};
const TOKEN = /YYYY|MM|M|DD|D|HH|H|mm|ss|SSS|A|Z/g;

const ISO =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<millisecond>\d{1,3})\d*)?)?\s?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/;

export type TimeReader = (text: string) => WrittenTime | null;

/** `iso`, or a pattern of the tokens above; other characters stand for themselves. */
export function timeReader(format: string): TimeReader {
  const shape = format === 'iso' ? ISO : shapeOf(format);
  return (text) => {
    const groups = shape.exec(text.trim())?.groups;
    return groups ? written(groups) : null;
  };
}

function shapeOf(format: string): RegExp {
  const seen = new Set<Part>();
  let pattern = '';
  let from = 0;
  for (const match of format.matchAll(TOKEN)) {
    const token = TOKENS[match[0]];
    if (!token) continue;
    if (seen.has(token.part)) throw new FeedShapeError(`settings: the time format has two of ${match[0]}`);
    seen.add(token.part);
    pattern += `${literal(format.slice(from, match.index))}(?<${token.part}>${token.pattern})`;
    from = match.index + match[0].length;
  }
  for (const needed of ['year', 'month', 'day'] as const)
    if (!seen.has(needed)) throw new FeedShapeError(`settings: the time format has no ${needed}`);
  return new RegExp(`^${pattern}${literal(format.slice(from))}$`);
}

const literal = (text: string): string => text.replaceAll(/[^\p{L}\p{N} ]/gu, '\\$&');

type Groups = Record<string, string | undefined>;

function written(groups: Groups): WrittenTime | null {
  const part = (name: Part): number => Number(groups[name] ?? 0);
  const [year, month, day, minute, second] = [
    part('year'),
    part('month'),
    part('day'),
    part('minute'),
    part('second'),
  ];
  const milliseconds = Number((groups.millisecond ?? '0').padEnd(3, '0'));
  const hour = hourOf(part('hour'), groups.half);
  // 24:00 is the midnight that ends the day; a leap second is read as the second before it.
  if (hour === null || hour > 24 || minute > 59 || second > 60) return null;
  if (hour === 24 && minute + second + milliseconds > 0) return null;
  const date = Date.UTC(year, month - 1, day);
  // Date.UTC alone would read 30 February as a day in March, and the year 1 as 1901.
  const check = new Date(date);
  if (check.getUTCFullYear() !== year || check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day)
    return null;
  const wall = date + ((hour * 60 + minute) * 60 + Math.min(second, 59)) * 1000 + milliseconds;
  return { wall, offset: groups.offset === undefined ? null : minutesOf(groups.offset) };
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
}

function minutesOf(offset: string): number {
  if (offset === 'Z') return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}

/** For addresses: `iso` is UTC, `epoch_s` and `epoch_ms` are numbers, a pattern is the wall-clock time of the zone. */
export function writeTime(time: number, format: string, zone: string): string {
  if (format === 'iso') return `${new Date(time).toISOString().slice(0, 19)}Z`;
  if (format === 'epoch_s') return String(Math.floor(time / 1000));
  if (format === 'epoch_ms') return String(time);
  const offset = offsetAt(time, zone) / 60_000;
  const wall = new Date(time + offset * 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const tokens: Record<string, string> = {
    YYYY: String(wall.getUTCFullYear()),
    MM: two(wall.getUTCMonth() + 1),
    M: String(wall.getUTCMonth() + 1),
    DD: two(wall.getUTCDate()),
    D: String(wall.getUTCDate()),
    HH: two(wall.getUTCHours()),
    H: String(wall.getUTCHours()),
    mm: two(wall.getUTCMinutes()),
    ss: two(wall.getUTCSeconds()),
    SSS: String(wall.getUTCMilliseconds()).padStart(3, '0'),
    A: wall.getUTCHours() < 12 ? 'AM' : 'PM',
    Z: `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`,
  };
  return format.replaceAll(TOKEN, (token) => tokens[token] ?? token);
}
