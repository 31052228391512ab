// Reads what is expected of pockets: their moments, sealed forecasts, usual hours and how many windows held.

import { type Calendar, cityCalendar } from '../../domain/city/rest-day.ts';
import type { ProjectionPayload } from '../../domain/prediction/prediction.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import type { PocketOutlook } from '../../domain/window/pocket-outlook.ts';
import { usualAtFrom, usualHourOfWeek } from '../../domain/window/usual-chance.ts';
import { currentMoments, type MomentRecord } from '../../store/decision/moments.ts';
import { readWindowRecords } from '../../store/decision/window-outcomes.ts';
import { type CalmNorm, readCalmNorms } from '../../store/observation/norms.ts';
import { projectionsByPocket } from '../../store/prediction/projections.ts';
import type { OperationContext } from '../core/define.ts';

/** What is expected of some pockets over the next week. */
export async function loadOutlooks(
  { store, registry, now }: Pick<OperationContext, 'store' | 'registry' | 'now'>,
  pockets: readonly string[],
) {
  const calendar = cityCalendar(registry);
  const [moments, projections, norms, records] = await Promise.all([
    currentMoments(store, now, pockets),
    projectionsByPocket(store, now, pockets),
    readCalmNorms(store, [...Array(7 * 24).keys()], pockets),
    readWindowRecords(store),
  ]);
  return { ...{ calendar, records, now, projections }, ...byPocket(moments, norms) };
}

/** What is expected of some pockets, or of all, at one time: less to read than the whole week. */
export async function loadOutlooksAt(
  { store, registry, now }: Pick<OperationContext, 'store' | 'registry' | 'now'>,
  at: number,
  pockets: readonly string[] | undefined,
) {
  const calendar = cityCalendar(registry);
  // No forecast is for a later hour, so none is read.
  const isForecast = at <= now + LONGEST_FORECAST;
  const [moments, projections, norms] = await Promise.all([
    isForecast ? currentMoments(store, now, pockets) : [],
    isForecast ? projectionsByPocket(store, now, pockets) : new Map<string, ProjectionPayload[]>(),
    readCalmNorms(store, [usualHourOfWeek(at, calendar)], pockets),
  ]);
  return { calendar, projections, ...byPocket(moments, norms) };
}

const LONGEST_FORECAST = 3 * HOUR;

const byPocket = (moments: readonly MomentRecord[], norms: readonly CalmNorm[]) => ({
  moments: new Map(moments.map((record) => [record.moment.pocket_id, record])),
  norms: Map.groupBy(norms, ({ pocket_id }) => pocket_id),
});

interface Loaded {
  calendar: Calendar;
  projections: ReadonlyMap<string, readonly ProjectionPayload[]>;
  moments: ReadonlyMap<string, MomentRecord>;
  norms: ReadonlyMap<string, readonly CalmNorm[]>;
}

export function pocketOutlook(
  { calendar, projections, moments, norms }: Loaded,
  pocket: string,
): PocketOutlook {
  const sealed = projections.get(pocket) ?? [];
  const record = moments.get(pocket);
  const [first] = sealed;
  const slot = record?.slot ?? (first ? Date.parse(first.sealed_at) : null);
  const { window_ends_at: ends_at = null, window_held_share: held_share = null } = record?.moment ?? {};
  return {
    slot,
    ahead: [
      ...(record
        ? [
            {
              minutes: 0,
              calm_probability: record.moment.calm_probability,
              expected_calm: record.moment.calm_level,
            },
          ]
        : []),
      ...sealed.map(({ reveal_at, forecast: { calm_probability, expected_calm } }) => ({
        minutes: (Date.parse(reveal_at) - (slot ?? 0)) / MINUTE,
        calm_probability,
        expected_calm,
      })),
    ],
    open: ends_at === null || held_share === null ? null : { ends_at, held_share },
    usualAt: usualAtFrom(new Map(norms.get(pocket)?.map((norm) => [norm.hour_of_week, norm])), calendar),
  };
}
