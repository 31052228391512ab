// The history of an outlet by the days on which it opened. A closed outlet is not an empty one: what was counted while it
// was closed never enters a mean.
import { closeCountdown, type Hours, openingHours } from '../../time/opening-hours.ts';
import type { Zone } from '../../time/zone.ts';
import type { OutletUse } from './pattern.ts';

/** A time by the day on which the outlet opened: 01:00 of a place that opened the evening before is hour 25. */
export interface OpeningDay {
  /** 0 is Monday. */
  day: number;
  /** Midnight of that day. */
  date: number;
  hour: number;
}

/** A quarter hour in which it was open. */
export type OpenUse = OutletUse & OpeningDay;

/** `opens`: hours since midnight, as `openingHours` gives them. */
export function openingDayAt(slot: number, opens: number, zone: Zone): OpeningDay {
  const hour = zone.hourOfDay(slot);
  const daysAgo = hour < opens ? 1 : 0;
  const date = zone.startOfDay(slot, -daysAgo);
  return { day: zone.weekday(date), date, hour: Math.floor(hour) + 24 * daysAgo };
}

/**
 * What was counted within its opening hours. A day on which nobody was ever inside is left out too: it did not open then,
 * whatever its hours say.
 */
export function usesWhileOpen(outlet: Hours, counted: readonly OutletUse[], zone: Zone): OpenUse[] {
  const left = closeCountdown(outlet, zone);
  const { opens } = openingHours(outlet);
  const open = counted
    .filter(({ slot }) => left(slot) > 0)
    .map(({ slot, activity }) => ({ slot, activity, ...openingDayAt(slot, opens, zone) }));
  const days = Map.groupBy(open, ({ date }) => date);
  return [...days.values()].filter((uses) => uses.some(({ activity }) => activity > 0)).flat();
}
