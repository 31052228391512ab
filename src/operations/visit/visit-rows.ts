// What is known of the pockets that are listed: forecasts ahead, the usual, and what was measured.
import { crowdWithoutCount } from '../../domain/atmosphere/snapshot.ts';
import { compareWithUsual, usualCalm } from '../../domain/atmosphere/usual-calm.ts';
import {
  bestWindow,
  firstUsuallyCalm,
  forecastFor,
  laterHours,
  visitAdvice,
} from '../../domain/prediction/calm-window.ts';
import { HORIZONS, type ProjectionPayload } from '../../domain/prediction/prediction.ts';
import { suppressSmallCount } from '../../domain/stats/small-count-suppression.ts';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { currentConditions } from '../../store/observation/current-conditions.ts';
import { readCalmNorms } from '../../store/observation/norms.ts';
import { projectionsByPocket } from '../../store/prediction/projections.ts';
import type { OperationContext } from '../core/define.ts';
import type { NetworkRow } from './choose-pockets.ts';
import type { VisitRow } from './visit-fields.ts';

const LAST_HORIZON = Math.max(...HORIZONS) * MINUTE;

export type HourCalm = NonNullable<VisitRow['at_hour']>;

/** What is known of an hour, by pocket: the forecast for it, else what is usual then. */
export async function calmAtHour(
  { store, now, zone }: OperationContext,
  at: number,
  pockets: readonly string[] | undefined,
): Promise<Map<string, HourCalm>> {
  const known = new Map<string, HourCalm>();
  for (const norm of await readCalmNorms(store, [zone.hourOfWeek(at)], pockets)) {
    const calm_level = usualCalm(norm);
    if (calm_level !== null)
      known.set(norm.pocket_id, { at: iso(at), calm_level, calm_probability: null, basis: 'usual' });
  }
  // No forecast is for a later hour, so none is read.
  if (at > now + LAST_HORIZON + 30 * MINUTE) return known;
  for (const [pocket, projections] of await projectionsByPocket(store, now, pockets)) {
    const forecast = forecastFor(projections.map(forecastOf), at);
    if (!forecast) continue;
    const { expected_calm: calm_level, calm_probability } = forecast;
    known.set(pocket, { at: iso(at), calm_level, calm_probability, basis: 'forecast' });
  }
  return known;
}

/** What is read of the listed pockets alone. */
export async function loadListed({ store, now, zone }: OperationContext, ids: readonly string[]) {
  const later = laterHours(now + LAST_HORIZON, zone);
  const hours = new Set([zone.hourOfWeek(now), ...later.map(zone.hourOfWeek)]);
  const [projections, norms, conditions] = await Promise.all([
    projectionsByPocket(store, now, ids),
    readCalmNorms(store, [...hours], ids),
    currentConditions(store, now, ids),
  ]);
  return { projections, norms: Map.groupBy(norms, ({ pocket_id }) => pocket_id), conditions, later, now };
}

export interface ListedData extends Awaited<ReturnType<typeof loadListed>> {
  atHour: ReadonlyMap<string, HourCalm>;
  alignments: ReadonlyMap<string, number>;
}

export function visitRowOf(row: NetworkRow, data: ListedData, zone: Zone): VisitRow {
  const { index_score: _score, index_band: _band, signal_status_code: _code, ...shown } = row;
  const { pocket_id, calm_level, calm_probability } = row;
  const usual = new Map(
    data.norms.get(pocket_id)?.map((norm) => [norm.hour_of_week, usualCalm(norm)] as const),
  );
  const usual_calm = usual.get(zone.hourOfWeek(data.now)) ?? null;
  const ahead = (data.projections.get(pocket_id) ?? []).map(forecastOf);
  const best = bestWindow(ahead);
  return {
    ...shown,
    usual_calm,
    against_usual: compareWithUsual(calm_level, usual_calm),
    ahead: ahead.map(served),
    best_window: best && served(best),
    usually_calm_at: firstUsuallyCalm(
      data.later.flatMap((at) => {
        const calm_level = usual.get(zone.hourOfWeek(at)) ?? null;
        return calm_level === null ? [] : [{ at: iso(at), calm_level }];
      }),
    ),
    advice: visitAdvice(calm_probability, best),
    at_hour: data.atHour.get(pocket_id) ?? null,
    intent_alignment: data.alignments.get(pocket_id) ?? null,
    ...measuredPart(data, pocket_id),
  };
}

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
const forecastOf = ({ id, reveal_at, horizon_minutes, forecast }: ProjectionPayload) => ({
  at: Date.parse(reveal_at),
  minutes_ahead: horizon_minutes,
  prediction_id: id,
  expected_state: forecast.expected_state,
  expected_calm: forecast.expected_calm,
  calm_probability: forecast.calm_probability,
});

const served = ({ at, ...forecast }: ReturnType<typeof forecastOf>) => ({ at: iso(at), ...forecast });
