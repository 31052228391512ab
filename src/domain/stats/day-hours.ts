/** The hours of a local day, and runs of those that are calm. */
import type { Span } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import type { Sums } from './rollup.ts';
import { round } from './unit-scale.ts';

export type CalmSums = Sums<'readings' | 'calm'>;

/** The 24 hours that the clock of a day shows. One that clocks skip is empty, one that they show twice lasts longer. */
export function hoursOfDay(day: number, zone: Zone): Span[] {
  const bounds = Array.from({ length: 25 }, (_, hour) => zone.atHour(day, hour));
  return bounds.slice(1).map((to, hour) => ({ from: bounds[hour] ?? to, to }));
}

/** The runs of hours whose calm is at least `level`; an hour whose calm is not known ends a run. */
export function calmRuns(hours: readonly (Span & { calm: number | null })[], level: number): Span[] {
  const runs: Span[] = [];
  for (const { from, to, calm } of hours) {
    if (calm === null || calm < level || from >= to) continue;
    const last = runs.at(-1);
    if (last?.to === from) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}

/** The mean calm of an hour of the clock, and how many readings it has. */
export interface HourMean {
  hour: number;
  calm: number;
  readings: number;
}

/** The hours of one day that were read, in the order of the clock. An hour that clocks show twice is one. */
export function hourMeans(readings: readonly { slot: number; calm: number }[], zone: Zone): HourMean[] {
  const byHour = Map.groupBy(readings, ({ slot }) => Math.floor(zone.hourOfDay(slot)));
  return [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([hour, within]) => ({
      hour,
      calm: round(within.reduce((sum, { calm }) => sum + calm, 0) / within.length),
      readings: within.length,
    }));
}
