import type { Outlet } from '../city/city.ts';
import { hourOfDay } from './sgt.ts';
import { HOUR } from './slot.ts';

/** Opening hours of an outlet as 'HH:MM' in Singapore, possibly past midnight. */
export type Hours = Pick<Outlet, 'opens_at' | 'closes_at'>;

/** In hours since midnight; `closes` is above 24 for an outlet that closes past midnight. */
export function openingHours({ opens_at, closes_at }: Hours): { opens: number; closes: number } {
  const opens = hoursOf(opens_at);
  const closing = hoursOf(closes_at);
  return { opens, closes: closing > opens ? closing : closing + 24 };
}

const hoursOf = (clock: string): number => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;

/** Open from the minute it opens until the minute before it closes. */
export const isOpen = (outlet: Hours, now: number): boolean => timeUntilClose(outlet, now) > 0;

/** Milliseconds until it closes; 0 while it is closed. */
export const timeUntilClose = (outlet: Hours, now: number): number => closeCountdown(outlet)(now);

/** `timeUntilClose` for many times of one outlet: the hours are parsed once. */
export function closeCountdown(outlet: Hours): (now: number) => number {
  const { opens, closes } = openingHours(outlet);
  return (now) => {
    const hour = hourOfDay(now);
    // Before the opening hour, it can only still be open since the day before.
    const hourOfOpeningDay = hour >= opens ? hour : hour + 24;
    return Math.max(0, Math.round((closes - hourOfOpeningDay) * HOUR));
  };
}
