// Intervals of ISO 8601, as SensorThings and NGSI-LD write the time of a count: `start/end`, `start/duration`,
// `duration/end`. What an interval counts is known when it is over.
import type { WrittenTime } from '../../core/rows/time.ts';
import type { TimeReader } from './time-format.ts';

/** Weeks to seconds; a month or a year has no length of its own. */
const DURATION =
  /^P(?=[\dT])(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?$/;
const UNITS = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1000];

export const isInterval = (text: string): boolean => text.includes('/');

/** `read` reads each end. Null for what is no interval, for one that is still open, and for an end before its start. */
export function readInterval(text: string, read: TimeReader): WrittenTime | null {
  const [from = '', to = '', ...more] = text.split('/').map((part) => part.trim());
  if (more.length > 0) return null;
  const lasts_ms = parseDuration(to);
  const start = read(from);
  if (lasts_ms !== null) return start && { ...start, lasts_ms };
  const end = read(to);
  if (!end || (!start && from !== '..' && parseDuration(from) === null)) return null;
  // An offset that only the start has holds for both.
  const offset = end.offset ?? start?.offset ?? null;
  // Wall-clock times may run backwards at the end of daylight saving.
  if (start && offset !== null && end.wall - offset * 60_000 < toInstant(start, offset)) return null;
  return { wall: end.wall, offset, lasts_ms: 0 };
}

const toInstant = ({ wall, offset }: WrittenTime, otherwise: number): number =>
  wall - (offset ?? otherwise) * 60_000;

function parseDuration(text: string): number | null {
  const parts = DURATION.exec(text)?.slice(1);
  return parts ? UNITS.reduce((sum, unit, i) => sum + unit * Number(parts[i] ?? 0), 0) : null;
}
