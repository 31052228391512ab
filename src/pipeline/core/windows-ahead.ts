// What is known at a slot of the hours ahead of each pocket: its forecasts, its usual, and how many windows held.

import { isCalmState } from '../../domain/atmosphere/primary-state.ts';
import type { Reading } from '../../domain/atmosphere/reading.ts';
import { usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import type { Forecast } from '../../domain/forecaster/index.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { projectionOf } from '../../domain/prediction/projection.ts';
import { HOUR } from '../../domain/time/slot.ts';
import { isWaking } from '../../domain/time/waking-hours.ts';
import type { Zone } from '../../domain/time/zone.ts';
import {
  LONGEST_WINDOW,
  type Outlook,
  WINDOW_MINUTES,
  windowChances,
} from '../../domain/window/calm-window.ts';
import { meanUsual } from '../../domain/window/mean-usual.ts';
import {
  addWindows,
  noWindows,
  type OpenWindow,
  outcomesAt,
  type WindowRecord,
} from '../../domain/window/window-record.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { readCalmNorms } from '../../store/observation/norms.ts';
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
        const { calm_probability, expected_calm } = projectionOf(forecast);
        return { minutes, calm_probability, expected_calm };
      }),
    ]),
  );
}

/** The mean usual calm of a pocket from a slot to an end; null where it is not known for one of its hours. */
export type UsualAhead = (pocket: string, ends_at: number) => number | null;

/** Reads the usual of the hours that a window can reach. */
export async function usualAhead(tx: Transaction, slot: number, zone: Zone): Promise<UsualAhead> {
  const hours = new Set<number>();
  for (let at = slot; at <= slot + LONGEST_WINDOW; at += HOUR) hours.add(zone.hourOfWeek(at));
  const usual = new Map(
    (await readCalmNorms(tx, [...hours])).map((norm) => [
      `${norm.pocket_id} ${norm.hour_of_week}`,
      usualCalm(norm),
    ]),
  );
  return (pocket, ends_at) =>
    meanUsual(slot, ends_at, (at) => usual.get(`${pocket} ${zone.hourOfWeek(at)}`) ?? null);
}

export const WINDOWS_KEY = 'windows';
export const openWindowsKey = (pocket: string): string => `windows ${pocket}`;

export const windowRecord = ({ state }: Pick<JobContext, 'state'>): WindowRecord =>
  state.get<WindowRecord>(WINDOWS_KEY) ?? noWindows;

/** Learns which windows of a pocket held that end with this reading, and opens those that begin with it. */
export function learnWindows(
  { state, slot, zone }: JobContext,
  reading: Reading,
  moment: Moment | null,
  ahead: readonly Outlook[],
): void {
  const key = openWindowsKey(reading.pocket_id);
  const before = (state.get<OpenWindow[]>(key) ?? []).filter(
    (past) => past.slot >= slot - LONGEST_WINDOW && past.slot < slot,
  );
  const { calm_level: expected_calm, calm_probability } = moment ?? { calm_level: 0, calm_probability: 0 };
  const present = { minutes: 0, calm_probability, expected_calm };
  const chances = isWaking(slot, zone) ? windowChances([present, ...ahead]) : [];
  const open = [...before, { slot, calm: isCalmState(reading.primary_state), chances }];
  state.set(key, open);
  const record = windowRecord({ state });
  const learned = addWindows(record, zone.dateOf(slot), outcomesAt(open, WINDOW_MINUTES));
  if (learned !== record) state.set(WINDOWS_KEY, learned);
}
