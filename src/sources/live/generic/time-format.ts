// Reads and writes times by a pattern such as `DD.MM.YYYY HH:mm`.
import { FeedShapeError } from '../../core/adapter.ts';
import { ISO, type TimePart, type WrittenTime, writtenTime } from '../../core/rows/time.ts';
import { offsetAt } from './local-time.ts';

const TOKENS: Record<string, { part: TimePart; pattern: string }> = {
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

export type TimeReader = (text: string) => WrittenTime | null;

/** `iso`, or a pattern of the tokens above; other characters stand for themselves. */
export function timeReader(format: string): TimeReader {
  const shape = format === 'iso' ? ISO : formatPattern(format);
  return (text) => writtenTime(text, shape);
}

function formatPattern(format: string): RegExp {
  const seen = new Set<TimePart>();
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
