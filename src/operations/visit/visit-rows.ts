// The row of a pocket: now or at the time asked for, against its usual, its windows, and what was measured.

import { compareWithUsual, usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import type { Registry } from '../../domain/city/city.ts';
import { metresBetween, type Position } from '../../domain/city/distance.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { openKinds, outletCounts, pocketOutlets } from '../../domain/city/pocket-outlets.ts';
import { crowdWithoutCount } from '../../domain/signals/snapshot.ts';
import { suppressSmallCount } from '../../domain/stats/small-count-suppression.ts';
import { iso } from '../../domain/time/slot.ts';
import {
  endsWithForecasts,
  expectedAt,
  expectedWindows,
  type PocketOutlook,
  windowsAround,
} from '../../domain/window/pocket-outlook.ts';
import type { ExpectedWindow } from '../../domain/window/usual-chance.ts';
import { visitAdvice } from '../../domain/window/visit.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import type { SealedProjection } from '../../store/prediction/projections.ts';
import type { OperationContext } from '../core/define.ts';
import type { NetworkRow } from '../pocket/network-rows.ts';
import { loadOutlooks, loadOutlooksAround, pocketOutlook, windowRecords } from './load-outlooks.ts';
import type { VisitRow } from './visit-fields.ts';

/** What is read of the listed pockets alone. `windows`: those around the time asked for, or those of the next week. */
export async function loadListed(
  context: OperationContext,
  ids: readonly string[],
  at: number | null,
  windows: 'around' | 'week',
) {
  const { store, now, registry } = context;
  const [outlooks, conditions] = await Promise.all([
    windows === 'week' ? loadOutlooks(context, ids) : loadOutlooksAround(context, ids, at ?? now),
    currentConditions(store, now, ids),
  ]);
  return { outlooks, conditions, registry };
}

export interface ListedData extends Awaited<ReturnType<typeof loadListed>> {
  /** The time that was asked for; null for now. */
  at: number | null;
  /** The place that was asked for; null without one. */
  place: Position | null;
  alignments: ReadonlyMap<string, number>;
}

export function composeVisitRow(row: NetworkRow, data: ListedData): VisitRow {
  const { index_score: _score, index_band: _band, signal_status_code: _code, ...shown } = row;
  const { pocket_id, calm_level } = row;
  const { outlooks, registry } = data;
  const { now, calendar } = outlooks;
  const { zone } = calendar;
  const at = data.at ?? now;
  const usual_calm = usualCalm(
    outlooks.norms.get(pocket_id)?.find((norm) => norm.hour_of_week === zone.hourOfWeek(now)),
  );
  const outlook = pocketOutlook(outlooks, pocket_id);
  const { window, next } = windowsAround(
    expectedWindows(outlook, now, windowRecords(outlooks, pocket_id), calendar),
    at,
  );
  // Now is what the moment tells: it is read until the next one is.
  const expected = expectedAt(outlook, data.at ?? outlook.slot ?? now);
  const outlets = pocketOutlets(outletsAt(registry, pocket_id), pocket_id, at, zone);
  return {
    ...shown,
    usual_calm,
    against_usual: compareWithUsual(calm_level, usual_calm),
    ahead: (outlooks.projections.get(pocket_id) ?? []).map(servedForecast),
    expected: expected && {
      at: iso(at),
      ...expected,
      holiday: holidayName(registry, zone.localDate(at), expected),
    },
    window: window && servedWindow(outlook, window),
    next_window: next && servedWindow(outlook, next),
    distance_m: data.place && Math.round(metresBetween(data.place, row)),
    advice: visitAdvice(expected?.calm_probability ?? null, window, next),
    open_kinds: openKinds(outlets),
    open_count: outletCounts(outlets).open_now_count,
    intent_alignment: data.alignments.get(pocket_id) ?? null,
    ...measuredPart(data, pocket_id),
  };
}

const holidayName = (
  { holidays, holidayNames }: Registry,
  date: string,
  { basis }: { basis: string },
): string | null => (basis === 'usual' && holidays.includes(date) ? (holidayNames[date] ?? date) : null);

export const servedWindow = (outlook: PocketOutlook, window: ExpectedWindow) => ({
  ...{ basis: window.basis, starts_at: iso(window.starts_at), ends_at: iso(window.ends_at) },
  at_least: endsWithForecasts(outlook, window),
  calm_probability: window.calm_probability,
  held_share: window.held_share,
});

function measuredPart({ conditions }: ListedData, pocket: string) {
  const {
    rain_mm = null,
    temperature_c = null,
    footfall = null,
    crowd = null,
  } = conditions.get(pocket) ?? {};
  return {
    rain_mm,
    temperature_c,
    footfall: suppressSmallCount(footfall),
    crowd: crowdWithoutCount({ values: { footfall }, crowd }).crowd ?? null,
  };
}

/** A sealed projection as a forecast of calm at a time. */
const servedForecast = ({ id, reveal_at, horizon_minutes, forecast }: SealedProjection) => ({
  at: reveal_at,
  minutes_ahead: horizon_minutes,
  prediction_id: id,
  expected_state: forecast.expected_state,
  expected_calm: forecast.expected_calm,
  calm_probability: forecast.calm_probability,
});
