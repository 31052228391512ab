// How old the newest reading is: pages state it, and mark it when readings are late.
import { durationText } from '../text/duration.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/** A newer reading is due after a slot; half a slot more is the time to write it. */
export const LATE_AFTER = 1.5 * SLOT;

export interface ReadingAge {
  minutes: number;
  late: boolean;
}

/** `slot`: of the newest reading. One ahead of the clock counts as new. */
export function readingAge(slot: number, now: number): ReadingAge {
  const age = Math.max(0, now - slot);
  return { minutes: Math.floor(age / MINUTE), late: age > LATE_AFTER };
}

/** For the top of a page; null while readings are on time. */
export function lateSentence(slot: number, now: number, zone: Zone): string | null {
  const { minutes, late } = readingAge(slot, now);
  return late
    ? `Readings are late. The newest is ${durationText(minutes)} old (${zone.localDate(slot)}, ${zone.clockWithZone(slot)}): whatever is shown as now is from then.`
    : null;
}
