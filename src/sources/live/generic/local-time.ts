// Wall-clock times of a zone as instants. A clock change makes a wall-clock time occur twice or not at all, so that
// the answer is a list.
import { FeedShapeError } from '../../core/adapter.ts';

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
const MAX_CACHED = 5000;

interface Offsets {
  format: Intl.DateTimeFormat;
  /** By day of UTC, null where the clocks change within it. Asking Intl for every row would be slow. */
  days: Map<number, number | null>;
  /** By quarter hour, within those days: no zone changes its clock within one. */
  quarters: Map<number, number>;
}
const zones = new Map<string, Offsets>();

/** The instants, in order, at which the clocks of the zone show `wall` (the time as if it were UTC). */
export function instantsAt(wall: number, zone: string): number[] {
  const [before, after] = [offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)];
  if (before === after) return [wall - before];
  return [wall - before, wall - after]
    .filter((time) => time + offsetAt(time, zone) === wall)
    .sort((a, b) => a - b);
}

/** What the clocks of the zone are ahead of UTC, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  const { format, days, quarters } = zoneOffsets(zone);
  const day = Math.floor(time / DAY);
  const ofDay = getOrAdd(days, day, () => {
    const [start, end] = [askOffset(format, day * DAY), askOffset(format, (day + 1) * DAY)];
    return start === end ? start : null;
  });
  const quarter = Math.floor(time / QUARTER);
  return ofDay ?? getOrAdd(quarters, quarter, () => askOffset(format, quarter * QUARTER));
}

function getOrAdd<Value>(cache: Map<number, Value>, key: number, make: () => Value): Value {
  let value = cache.get(key);
  if (value === undefined) {
    value = make();
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, value);
  }
  return value;
}

function askOffset(format: Intl.DateTimeFormat, time: number): number {
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d{2}):(\d{2})/.exec(format.format(time)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function zoneOffsets(zone: string): Offsets {
  let found = zones.get(zone);
  if (!found) {
    try {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
      found = { format, days: new Map(), quarters: new Map() };
    } catch {
      throw new FeedShapeError(`settings: ${JSON.stringify(zone)} is not a time zone`);
    }
    if (zones.size >= MAX_CACHED) zones.clear();
    zones.set(zone, found);
  }
  return found;
}
