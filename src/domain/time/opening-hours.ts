import { DAY, HOUR } from './slot.ts';
import type { Zone } from './zone.ts';

/** 'HH:MM' on the local clock; `closes_at` is before `opens_at` where an outlet closes past midnight. */
export interface Hours {
  opens_at: string;
  closes_at: string;
}

/** In hours since midnight; `closes` is above 24 for an outlet that closes past midnight. */
export function openingHours({ opens_at, closes_at }: Hours): { opens: number; closes: number } {
  const opens = clockHours(opens_at);
  const closing = clockHours(closes_at);
  return { opens, closes: closing > opens ? closing : closing + 24 };
}

/** Whole hours of the local clock, `from` up to `to`; above 24 those of the day after. */
export interface ClockHours {
  from: number;
  to: number;
}

/** The whole hours that its opening hours lie in: it is closed at every other one, also on days on which clocks change. */
export function openClockHours(outlet: Hours): ClockHours {
  const { opens, closes } = openingHours(outlet);
  return { from: Math.floor(opens), to: Math.ceil(closes) };
}

const clockHours = (clock: string): number => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;

/** Open from the minute it opens until the minute before it closes. */
export const isOpen = (outlet: Hours, now: number, zone: Zone): boolean =>
  timeUntilClose(outlet, now, zone) > 0;

/** Whether it is open at an hour of the local clock, on a day whose clocks do not change. */
export function isOpenAtHour(outlet: Hours, hour: number): boolean {
  const { opens, closes } = openingHours(outlet);
  return (hour >= opens ? hour : hour + 24) < closes;
}

/** Milliseconds until it closes; 0 while it is closed. */
export const timeUntilClose = (outlet: Hours, now: number, zone: Zone): number =>
  closeCountdown(outlet, zone)(now);

/** `timeUntilClose` for many times of one outlet: the hours are parsed once. */
export function closeCountdown(outlet: Hours, zone: Zone): (now: number) => number {
  const { opens, closes } = openingHours(outlet);
  return (now) => {
    if (zone.offset(now - 2 * DAY) !== zone.offset(now + 2 * DAY))
      return leftNearChange(opens, closes, now, zone);
    const hour = zone.hourOfDay(now);
    // Before the opening hour, it can only still be open since the day before.
    const hourOfOpeningDay = hour >= opens ? hour : hour + 24;
    return Math.max(0, Math.round((closes - hourOfOpeningDay) * HOUR));
  };
}

/** Exact while clocks change: hours on the clock are not hours that pass then. */
function leftNearChange(opens: number, closes: number, now: number, zone: Zone): number {
  for (const day of [0, -1]) {
    const closesAt = zone.atHour(now, closes, day);
    if (zone.atHour(now, opens, day) <= now && now < closesAt) return closesAt - now;
  }
  return 0;
}

export interface OpeningState {
  open: boolean;
  /** When it closes or opens next; null for an outlet that never closes. */
  changes_at: number | null;
}

export function openingState(outlet: Hours, now: number, zone: Zone): OpeningState {
  const { opens, closes } = openingHours(outlet);
  if (closes - opens === 24) return { open: true, changes_at: null };
  const left = timeUntilClose(outlet, now, zone);
  if (left > 0) return { open: true, changes_at: now + left };
  const next = [0, 1, 2].map((day) => zone.atHour(now, opens, day)).find((time) => time > now);
  return { open: false, changes_at: next ?? null };
}
