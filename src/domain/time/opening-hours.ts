import type { Outlet } from '../city/city.ts';
import { HOUR, hourOfDay } from './sgt.ts';

export type Hours = Pick<Outlet, 'opens_at' | 'closes_at'>;

/** Hours since midnight; a place that closes after midnight closes beyond 24. */
export function openingHours({ opens_at, closes_at }: Hours): { opens: number; closes: number } {
  const opens = hoursOf(opens_at);
  const closing = hoursOf(closes_at);
  return { opens, closes: closing > opens ? closing : closing + 24 };
}

const hoursOf = (clock: string): number => Number(clock.slice(0, 2)) + Number(clock.slice(3)) / 60;

/** Open from the minute it opens until the minute it closes. */
export const isOpen = (outlet: Hours, now: number): boolean => timeUntilClose(outlet, now) > 0;

/** Milliseconds until it closes; 0 while it is closed. */
export const timeUntilClose = (outlet: Hours, now: number): number => closeCountdown(outlet)(now);

/** The same for many times, with the hours read once. */
export function closeCountdown(outlet: Hours): (now: number) => number {
  const { opens, closes } = openingHours(outlet);
  return (now) => {
    const hour = hourOfDay(now);
    const since = hour >= opens ? hour : hour + 24;
    return Math.max(0, Math.round((closes - since) * HOUR));
  };
}
