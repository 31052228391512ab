/** Times of the day as people say them. */
import { HOUR, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

const hours = [
  ...['twelve', 'one', 'two', 'three', 'four', 'five'],
  ...['six', 'seven', 'eight', 'nine', 'ten', 'eleven'],
];
const QUARTERS = HOUR / SLOT;

/** The clock to the nearest quarter hour: 'five', 'quarter past five', 'half past five', 'quarter to six', 'noon'. */
export function spokenClock(time: number, zone: Zone): string {
  const quarters = Math.round(zone.hourOfDay(time) * QUARTERS) % (24 * QUARTERS);
  const hour = Math.floor(quarters / QUARTERS);
  const name = (of: number): string => hours[of % 12] ?? '';
  switch (quarters % QUARTERS) {
    case 0:
      return hour === 0 ? 'midnight' : hour === 12 ? 'noon' : name(hour);
    case 1:
      return `quarter past ${name(hour)}`;
    case 2:
      return `half past ${name(hour)}`;
    default:
      return `quarter to ${name(hour + 1)}`;
  }
}

/** An hour of the day, 0 to 23: 'nine in the morning', 'noon', 'three in the afternoon', 'ten in the evening'. */
export function spokenHour(hour: number): string {
  if (hour === 0 || hour === 12) return hour === 0 ? 'midnight' : 'noon';
  return `${hours[hour % 12]} in the ${hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'}`;
}

/** From which hour on a part of the day begins; the night lasts until the morning. */
const parts: [from: number, name: string][] = [
  [23, 'night'],
  [18, 'evening'],
  [14, 'afternoon'],
  [11, 'midday'],
  [5, 'morning'],
];

export const partOfDay = (time: number, zone: Zone): string =>
  parts.find(([from]) => zone.hourOfDay(time) >= from)?.[1] ?? 'night';
