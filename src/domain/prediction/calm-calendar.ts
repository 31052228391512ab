/**
 * The calm windows of a pocket over the next week: from the sealed forecasts as far as they reach, after that from what
 * is usual for each hour of the week (docs/formulas.md, "Calm calendar").
 */
import { CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import { isWaking } from '../time/waking-hours.ts';
import type { Zone } from '../time/zone.ts';
import { bestWindow, type ForecastCalm, LIKELY_CALM } from './calm-window.ts';

/** A forecast stands for this long before and after its time, so that forecasts an hour apart leave no gap. */
export const HALF_WINDOW = 30 * MINUTE;
/** How many days of usual hours are listed. */
const USUAL_DAYS = 7;

export interface ForecastWindow<F extends ForecastCalm> {
  basis: 'forecast';
  start: number;
  end: number;
  /** The forecast in it with the highest probability of calm. */
  best: F;
}

export interface UsualWindow {
  basis: 'usual';
  start: number;
  end: number;
  /** The least and the greatest usual calm level of its hours. */
  low: number;
  high: number;
}

/** Neighbouring forecasts in which a calm state is likely, as one window each. `ahead` is in order of time. */
export function forecastWindows<F extends ForecastCalm>(ahead: readonly F[]): ForecastWindow<F>[] {
  const likely = ahead.filter(({ calm_probability }) => calm_probability >= LIKELY_CALM);
  return runsOf(likely, ({ at }) => ({ start: at - HALF_WINDOW, end: at + HALF_WINDOW })).flatMap(
    ({ start, end, members }) => {
      const best = bestWindow(members);
      return best ? [{ basis: 'forecast' as const, start, end, best }] : [];
    },
  );
}

/** The instants at which full waking hours begin, from `from` on for a week, in order of time. */
export function wakingHoursFrom(from: number, zone: Zone): number[] {
  const first = Math.floor(zone.hourOfDay(from));
  const hours = Array.from({ length: (USUAL_DAYS * DAY) / HOUR + 1 }, (_, n) => zone.atHour(from, first + n));
  // Where clocks change, two hours of the day may be the same instant.
  return [...new Set(hours)].filter((at) => at >= from && isWaking(at, zone));
}

/** Neighbouring hours whose usual calm level is that of a calm state, as one window each. */
export function usualWindows(hours: readonly { at: number; usual_calm: number | null }[]): UsualWindow[] {
  const calm = hours.flatMap(({ at, usual_calm }) =>
    usual_calm !== null && usual_calm >= CALM_STATE_LEVEL ? [{ at, usual_calm }] : [],
  );
  return runsOf(calm, ({ at }) => ({ start: at, end: at + HOUR })).map(({ start, end, members }) => {
    const levels = members.map(({ usual_calm }) => usual_calm);
    return { basis: 'usual', start, end, low: Math.min(...levels), high: Math.max(...levels) };
  });
}

/** Joins spans that touch or overlap. */
function runsOf<T>(items: readonly T[], spanOf: (item: T) => { start: number; end: number }) {
  const runs: { start: number; end: number; members: T[] }[] = [];
  for (const item of items) {
    const { start, end } = spanOf(item);
    const last = runs.at(-1);
    if (last && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.members.push(item);
    } else runs.push({ start, end, members: [item] });
  }
  return runs;
}
