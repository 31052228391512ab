/** How often an hour of the week was calm: what is known of a time beyond the forecasts (docs/formulas.md, "Windows"). */

import type { Calendar } from '../city/rest-day.ts';
import { MIN_SAMPLES } from '../stats/norm.ts';
import { round } from '../stats/unit-scale.ts';
import { DAY, HOUR, MINUTE } from '../time/slot.ts';
import { isWaking, WAKING } from '../time/waking-hours.ts';
import { longestHeld, WINDOW_START } from './calm-window.ts';
import type { WindowRecord } from './window-record.ts';

/** The lengths of a window from the usual, in minutes: full hours. */
export const USUAL_MINUTES = [60, 120, 180, 240] as const;
/** How far ahead the usual is told. */
export const USUAL_REACH = 7 * DAY;

/** What is usual at an hour of the week. */
export interface UsualHour {
  /** The share of readings in a calm state. */
  chance: number;
  calm_level: number;
  /** The readings that it is the share of. */
  n: number;
}

/** Null where too little was read at that hour of the week. */
export type UsualAt = (at: number) => UsualHour | null;

/**
 * The hour of the week that a time is like: on a public holiday within the working week, that hour of the last day of
 * the weekend.
 */
export function usualHourOfWeek(at: number, calendar: Calendar): number {
  const known = hoursOfWeek.get(calendar) ?? new Map<number, number>();
  hoursOfWeek.set(calendar, known);
  const hour = known.get(at) ?? computeHourOfWeek(at, calendar);
  known.set(at, hour);
  return hour;
}

/** The same hours are asked for of every pocket, and a calendar serves one question or one slot. */
const hoursOfWeek = new WeakMap<Calendar, Map<number, number>>();

function computeHourOfWeek(at: number, { zone, weekend, holidays }: Calendar): number {
  const hour = zone.hourOfWeek(at);
  const weekday = zone.weekday(at);
  const rest = weekend.at(-1);
  if (rest === undefined || weekend.includes(weekday) || !holidays.includes(zone.localDate(at))) return hour;
  return hour + 24 * (rest - weekday);
}

/** What is usual at a time, from the norms of a pocket by hour of the week. */
export const usualAtFrom =
  (
    norms: ReadonlyMap<number, { samples: number; mean: number; calm_share: number }>,
    calendar: Calendar,
  ): UsualAt =>
  (at) => {
    const norm = norms.get(usualHourOfWeek(at, calendar));
    if (!norm || norm.samples < MIN_SAMPLES) return null;
    return { chance: round(norm.calm_share), calm_level: round(norm.mean), n: norm.samples };
  };

/** The lowest chance within each length of a window that the usual gives from a full hour on; none where calm is not likely. */
export function usualChances(start: number, usualAt: UsualAt): number[] {
  const chances: number[] = [];
  if ((usualAt(start)?.chance ?? 0) < WINDOW_START) return chances;
  for (const minutes of USUAL_MINUTES) {
    const hour = usualAt(start + minutes * MINUTE - HOUR);
    if (!hour) break;
    chances.push(Math.min(chances.at(-1) ?? 1, hour.chance));
  }
  return chances;
}

/** A window that is expected: from the sealed forecasts, or from the usual of its hours. */
export interface ExpectedWindow {
  basis: 'forecast' | 'usual';
  starts_at: number;
  ends_at: number;
  /** The chance of calm at its start. */
  calm_probability: number;
  /** The share of such windows that held on other days. */
  held_share: number;
}

/** The window that the usual gives from a full hour on; null where calm is not likely, or such windows did not hold. */
export function usualWindow(start: number, usualAt: UsualAt, record: WindowRecord): ExpectedWindow | null {
  const longest = longestHeld(usualChances(start, usualAt), USUAL_MINUTES, record);
  const hour = usualAt(start);
  if (!longest?.holds || !hour) return null;
  return {
    basis: 'usual',
    starts_at: start,
    ends_at: start + longest.minutes * MINUTE,
    calm_probability: hour.chance,
    held_share: longest.share,
  };
}

/**
 * The windows that the usual gives in the waking hours of a span of time, one after the other, each computed when it is
 * asked for. Those of a day follow from its first waking hour, so that an end stays where it is while the hours pass;
 * what is left of one that has begun is listed from the next full hour on.
 */
export function* usualWindows(
  from: number,
  until: number,
  usualAt: UsualAt,
  record: WindowRecord,
  { zone }: Calendar,
): Generator<ExpectedWindow, void> {
  const first = zone.atHour(from, Math.ceil(zone.hourOfDay(from)));
  let at = zone.atHour(from, WAKING.from);
  while (at < until) {
    const window = isWaking(at, zone) ? usualWindow(at, usualAt, record) : null;
    const left = window && remainingWindow(window, first, usualAt);
    if (left) yield left;
    at = window ? window.ends_at : at + HOUR;
  }
}

/** Null where less than an hour of it is left. */
function remainingWindow(window: ExpectedWindow, from: number, usualAt: UsualAt): ExpectedWindow | null {
  if (window.starts_at >= from) return window;
  if (window.ends_at - from < HOUR) return null;
  return {
    ...window,
    starts_at: from,
    calm_probability: usualAt(from)?.chance ?? window.calm_probability,
  };
}
