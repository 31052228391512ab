import type { Calendar } from '../../city/rest-day.ts';
import { type ClockHours, type Hours, openClockHours } from '../../time/opening-hours.ts';
import { WAKING } from '../../time/waking-hours.ts';
import { dnaDescriptor } from './dna-descriptor.ts';
import { hoursOverlap } from './hours-overlap.ts';
import { usesWhileOpen } from './opening-day.ts';
import type { OutletUse, Pattern, PocketQuarter } from './pattern.ts';
import { quietWindowPatterns } from './quiet-window.ts';
import { rainSensitivity } from './rain-sensitivity.ts';

/** The hours whose quarters patterns and decision support look at: those in which it is open, and waking hours. */
export function patternHours(outlet: Hours): ClockHours {
  const { from, to } = openClockHours(outlet);
  return { from: Math.min(from, WAKING.from), to: Math.max(to, WAKING.to) };
}

/** All patterns of an outlet, in the order of `patternKinds`. What was counted while it was closed is left out (`usesWhileOpen`). */
export function findPatterns(
  outlet: Hours,
  counted: readonly OutletUse[],
  streets: readonly PocketQuarter[],
  calendar: Pick<Calendar, 'zone' | 'weekend'>,
): Pattern[] {
  const { zone } = calendar;
  const uses = usesWhileOpen(outlet, counted, zone);
  const single = [
    rainSensitivity(uses, streets, calendar),
    dnaDescriptor(uses, streets, zone),
    hoursOverlap(outlet, streets, zone),
  ];
  return [...quietWindowPatterns(outlet, uses, zone), ...single.flatMap((pattern) => pattern ?? [])];
}
