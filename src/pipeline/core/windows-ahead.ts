// What is known at a slot of the hours ahead of each pocket: its forecasts, its usual, and how many windows held.

import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import type { Registry } from '../../domain/city/city.ts';
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import type { Calendar } from '../../domain/city/rest-day.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import type { Forecast } from '../../domain/forecaster/index.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { toProjection } from '../../domain/prediction/projection.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import { isWaking } from '../../domain/time/waking-hours.ts';
import { longestHeld, type Outlook, windowChances } from '../../domain/window/calm-window.ts';
import { LATER_STARTS } from '../../domain/window/later-window.ts';
import { meanUsual } from '../../domain/window/mean-usual.ts';
import {
  type KnownOutcome,
  type OpenWindow,
  type OpenWindows,
  stepWindows,
  type WindowKind,
  windowKeys,
  windowKinds,
  windowLengths,
} from '../../domain/window/open-windows.ts';
import {
  USUAL_MINUTES,
  type UsualAt,
  usualAtFrom,
  usualChances,
  usualHourOfWeek,
} from '../../domain/window/usual-chance.ts';
import { addWindows, noWindows, type WindowRecord } from '../../domain/window/window-record.ts';
import { calmNormsInDistrict, readCalmNorms } from '../../store/observation/norms.ts';
import type { JobContext } from './context.ts';

/** The forecasts of each pocket at a slot, in the order of time. */
export function outlooksAhead(
  { pockets }: Registry,
  forecasts: readonly (readonly Forecast[])[],
): Map<string, Outlook[]> {
  return new Map(
    pockets.map(({ id }, p) => [
      id,
      HORIZONS.flatMap((minutes, h) => {
        const forecast = forecasts[p]?.[h];
        if (!forecast) return [];
        const { calm_probability, expected_calm } = toProjection(forecast);
        return { minutes, calm_probability, expected_calm };
      }),
    ]),
  );
}

/** What is usual for a pocket in the hours that a window can reach. */
export interface UsualAhead {
  /** The mean usual calm of a pocket from the slot to an end; null where it is not known for one of its hours. */
  mean: (pocket: string, ends_at: number) => number | null;
  at: (pocket: string) => UsualAt;
}

export async function usualAhead(
  { tx, slot, district }: Pick<JobContext, 'tx' | 'slot' | 'district'>,
  calendar: Calendar,
): Promise<UsualAhead> {
  const { zone } = calendar;
  const hours = new Set<number>();
  for (let at = slot; at <= slot + LONGEST_USUAL; at += HOUR)
    hours.add(zone.hourOfWeek(at)).add(usualHourOfWeek(at, calendar));
  const read =
    district === WHOLE_CITY
      ? await readCalmNorms(tx, [...hours])
      : await calmNormsInDistrict(tx, [...hours], district);
  const norms = Map.groupBy(read, ({ pocket_id }) => pocket_id);
  const byHour = new Map(
    [...norms].map(([pocket, own]) => [pocket, new Map(own.map((norm) => [norm.hour_of_week, norm]))]),
  );
  return {
    mean: (pocket, ends_at) =>
      meanUsual(slot, ends_at, (at) => usualCalm(byHour.get(pocket)?.get(zone.hourOfWeek(at)))),
    at: (pocket) => usualAtFrom(byHour.get(pocket) ?? new Map(), calendar),
  };
}

const LONGEST_USUAL = Math.max(...USUAL_MINUTES) * MINUTE;

export const openWindowsKey = (pocket: string): string => `windows ${pocket}`;

export const windowRecord = ({ state }: Pick<JobContext, 'state'>, kind: WindowKind): WindowRecord =>
  state.get<WindowRecord>(windowKeys[kind]) ?? noWindows;

/**
 * Learns which windows of a pocket held that end with this reading, and keeps those that were drafted at it. Returns what
 * became of those that were shown.
 */
export function learnWindows(
  context: JobContext,
  reading: Reading,
  moment: Moment | null,
  ahead: readonly Outlook[],
  usualAt: UsualAt,
): KnownOutcome[] {
  const { state, slot, zone } = context;
  const key = openWindowsKey(reading.pocket_id);
  const drafted = isWaking(slot, zone) ? draftWindows(context, moment, ahead, usualAt) : [];
  const calm = isCalmState(reading.primary_state);
  const { windows, outcomes } = stepWindows(state.get<OpenWindows>(key), slot, calm, drafted);
  state.set(key, windows);
  for (const kind of windowKinds) {
    const record = windowRecord(context, kind);
    const learned = addWindows(
      record,
      zone.localDate(slot),
      outcomes.filter((outcome) => outcome.kind === kind),
    );
    if (learned !== record) state.set(windowKeys[kind], learned);
  }
  return outcomes.filter(({ shown }) => shown);
}

/** The windows of each kind that can be told at this reading, with those lengths that are shown. */
function draftWindows(
  context: JobContext,
  moment: Moment | null,
  ahead: readonly Outlook[],
  usualAt: UsualAt,
): OpenWindow[] {
  const { slot } = context;
  const draft = (kind: WindowKind, start: number, chances: number[]): OpenWindow[] => {
    const longest = longestHeld(chances, windowLengths[kind], windowRecord(context, kind));
    return longest ? [{ kind, start, chances, shown: longest.holds ? longest.minutes : null }] : [];
  };
  const usual = slot % HOUR === 0 ? draft('usual', slot, usualChances(slot, usualAt)) : [];
  if (!moment) return usual;
  const { calm_level: expected_calm, calm_probability, window_ends_at } = moment;
  const outlook = [{ minutes: 0, calm_probability, expected_calm }, ...ahead];
  const later = LATER_STARTS.flatMap((lead) =>
    draft('later', slot + lead * MINUTE, windowChances(outlook, lead)),
  );
  // Only the first of them is shown, and none while a window is open.
  const first = window_ends_at === null ? later.findIndex(({ shown }) => shown !== null) : -1;
  return [
    ...draft('now', slot, windowChances(outlook)),
    ...later.map((window, n) => (n === first ? window : { ...window, shown: null })),
    ...usual,
  ];
}
