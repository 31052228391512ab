// Wall-clock times of a zone as instants. A clock change makes a wall-clock time occur twice or not at all, so that
// the answer is a list.
import { FeedShapeError } from '../../core/adapter.ts';

const QUARTER = 15 * 60_000;
const DAY = 86_400_000;
const MAX_CACHED = 20_000;

interface Offsets {
  format: Intl.DateTimeFormat;
  /** By quarter hour of UTC: no zone changes its clock within one. */
  known: Map<number, number>;
}
const zones = new Map<string, Offsets>();

/** The instants, in order, at which the clocks of the zone show `wall` (the time as if it were UTC). */
export function instantsAt(wall: number, zone: string): number[] {
  const offsets = new Set([offsetAt(wall - DAY, zone), offsetAt(wall + DAY, zone)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((time) => time + offsetAt(time, zone) === wall)
    .sort((a, b) => a - b);
}

/** What the clocks of the zone are ahead of UTC, in milliseconds. */
export function offsetAt(time: number, zone: string): number {
  const { format, known } = offsetsOf(zone);
  const quarter = Math.floor(time / QUARTER);
  let offset = known.get(quarter);
  if (offset === undefined) {
    const [, sign = '+', hours = '0', minutes = '0'] =
      /GMT([+-])(\d{2}):(\d{2})/.exec(format.format(quarter * QUARTER)) ?? [];
    offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    if (known.size >= MAX_CACHED) known.clear();
    known.set(quarter, offset);
  }
  return offset;
}

function offsetsOf(zone: string): Offsets {
  let found = zones.get(zone);
  if (!found) {
    try {
      const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
      found = { format, known: new Map() };
    } catch {
      throw new FeedShapeError(`settings: ${JSON.stringify(zone)} is not a time zone`);
    }
    zones.set(zone, found);
  }
  return found;
}
