// Times as feeds write them, to epoch milliseconds. A time outside of this century is none: 0 and 1970 stand for
// "never reported" in several feeds, and a wrong unit lands far away.
import type { RowFault } from '../../core/measurement.ts';

type BadTime = Extract<RowFault, 'bad_time'>;

const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;

/**
 * An ISO 8601 time. One without an offset of its own is local at `offsetSeconds` east of UTC; where the publisher
 * states no such offset it is not known which moment is meant, and the time is bad.
 */
export function isoTime(value: unknown, offsetSeconds?: number): number | BadTime {
  const match = typeof value === 'string' ? ISO.exec(value.trim()) : null;
  if (!match) return 'bad_time';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const millis = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  const local = Date.UTC(year, month - 1, day, hour, minute, second, millis);
  // Date.UTC would carry 30 February or 25:00 over to another day.
  if (new Date(local).getUTCDate() !== day || month > 12 || hour > 23 || minute > 59 || second > 59)
    return 'bad_time';
  const offset = offsetOf(match) ?? offsetSeconds;
  return offset === undefined ? 'bad_time' : plausible(local - offset * 1000);
}

/** Epoch seconds, also as text; values of thirteen digits are milliseconds. */
export function epochTime(value: unknown): number | BadTime {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return 'bad_time';
  return plausible(Math.floor(number < 1e11 ? number * 1000 : number));
}

function offsetOf(match: RegExpExecArray): number | undefined {
  const [, , , , , , , , utc, sign, hours, minutes] = match;
  if (utc) return 0;
  if (!sign) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

function plausible(time: number): number | BadTime {
  return time >= EARLIEST && time < LATEST ? time : 'bad_time';
}
