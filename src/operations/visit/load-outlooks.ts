// Reads what is expected of pockets: their moments, sealed forecasts, usual hours and how many windows held.

import { type Calendar, cityCalendar } from '../../domain/city/rest-day.ts';
import { DAY, HOUR, MINUTE } from '../../domain/time/slot.ts';
import { WAKING } from '../../domain/time/waking-hours.ts';
import {
  type ExpectedCalm,
  expectedAt,
  expectedWindows,
  type PocketOutlook,
  type WindowRecords,
  windowsAround,
} from '../../domain/window/pocket-outlook.ts';
import { USUAL_MINUTES, usualAtFrom, usualHourOfWeek } from '../../domain/window/usual-chance.ts';
import { noWindows } from '../../domain/window/window-record.ts';
import { type NewestMoment, newestMoments } from '../../store/decision/calm-pockets.ts';
import { readWindowRecords } from '../../store/decision/window-outcomes.ts';
import { chunksOf } from '../../store/engine/in-clause-chunks.ts';
import { type CalmNorm, readCalmNorms } from '../../store/observation/norms.ts';
import { projectionsByPocket, type SealedProjection } from '../../store/prediction/projections.ts';
import type { OperationContext } from '../core/define.ts';

/** What is expected of some pockets over the next week. */
export const loadOutlooks = (context: Asking, pockets: readonly string[]) =>
  loadUsual(context, pockets, everyHour);

/**
 * The same, as far as the window at a time and the one after it need it. Nearly all pockets have one within a day: of
 * those the usual of the other hours is not read.
 */
export async function loadOutlooksAround(context: Asking, pockets: readonly string[], at: number) {
  const { now, registry } = context;
  const calendar = cityCalendar(registry);
  const until = at + DAY;
  const loaded = await loadUsual(context, pockets, hoursUntil(until, now, calendar));
  const isOpen = (pocket: string) =>
    windowsAround(
      expectedWindows(pocketOutlook(loaded, pocket), now, windowRecords(loaded, pocket), calendar, until),
      at,
    ).next === null;
  const others = await readCalmNorms(context.store, everyHour, pockets.filter(isOpen));
  const norms = new Map([...loaded.norms, ...Map.groupBy(others, ({ pocket_id }) => pocket_id)]);
  return { ...loaded, norms };
}

type Asking = Pick<OperationContext, 'store' | 'registry' | 'now'>;
const everyHour = [...Array(7 * 24).keys()];

/** The hours of the week that windows which begin before a time are computed from: those of a day from its first waking hour on. */
function hoursUntil(until: number, now: number, calendar: Calendar): number[] {
  const { zone } = calendar;
  const hours = new Set([zone.hourOfWeek(now)]);
  const last = until + Math.max(...USUAL_MINUTES) * MINUTE;
  for (let at = Math.min(now - HOUR, zone.atHour(now, WAKING.from)); at <= last; at += HOUR)
    hours.add(usualHourOfWeek(at, calendar));
  return [...hours];
}

async function loadUsual({ store, registry, now }: Asking, pockets: readonly string[], hours: number[]) {
  const calendar = cityCalendar(registry);
  const [present, projections, norms, records] = await Promise.all([
    newestMoments(store, now, registry.pockets, outlookColumns, pockets),
    projectionsByPocket(store, now, pockets),
    readCalmNorms(store, hours, pockets),
    readWindowRecords(store, pockets),
  ]);
  return { ...{ calendar, records, now, projections }, ...byPocket(present, norms) };
}

/**
 * How calm each of these pockets, which may be all, is expected to be at a time; those of which nothing is known are left
 * out. The forecasts of a large city would fill the memory: they are read in parts.
 */
export async function loadExpected(
  { store, registry, now }: Asking,
  at: number,
  pockets: readonly string[],
): Promise<Map<string, ExpectedCalm>> {
  const calendar = cityCalendar(registry);
  // No forecast is for a later hour, so none is read.
  const isForecast = at <= now + LONGEST_FORECAST;
  const only = pockets.length > MOST_NAMED ? undefined : pockets;
  const [present, norms] = await Promise.all([
    isForecast ? newestMoments(store, now, registry.pockets, outlookColumns, only) : [],
    readCalmNorms(store, [usualHourOfWeek(at, calendar)], only),
  ]);
  const known = byPocket(present, norms);
  const expected = new Map<string, ExpectedCalm>();
  for (const some of chunksOf(pockets)) {
    const projections = isForecast ? await projectionsByPocket(store, now, some) : new Map();
    for (const pocket of some) {
      const outlook = pocketOutlook({ calendar, projections, ...known }, pocket);
      // Now is what the moment tells: it is read until the next one is.
      const then = expectedAt(outlook, at === now ? (outlook.slot ?? at) : at);
      if (then) expected.set(pocket, then);
    }
  }
  return expected;
}

/** Of more pockets the moments of all are read. */
const MOST_NAMED = 100;
const outlookColumns = ['calm_probability', 'calm_level', 'window_ends_at', 'window_held_share'] as const;

const LONGEST_FORECAST = 3 * HOUR;

/** What an outlook needs of a moment. */
type Present = NewestMoment<(typeof outlookColumns)[number]>;

const byPocket = (moments: readonly Present[], norms: readonly CalmNorm[]) => ({
  moments: new Map(moments.map((moment) => [moment.pocket_id, moment])),
  norms: Map.groupBy(norms, ({ pocket_id }) => pocket_id),
});

interface Loaded {
  calendar: Calendar;
  projections: ReadonlyMap<string, readonly SealedProjection[]>;
  moments: ReadonlyMap<string, Present>;
  norms: ReadonlyMap<string, readonly CalmNorm[]>;
}

/** How many windows held, as the district of one of the pockets has learned it. */
export const windowRecords = (
  { records }: { records: ReadonlyMap<string, WindowRecords> },
  pocket: string,
): WindowRecords => records.get(pocket) ?? { later: noWindows, usual: noWindows };

export function pocketOutlook(
  { calendar, projections, moments, norms }: Loaded,
  pocket: string,
): PocketOutlook {
  const sealed = projections.get(pocket) ?? [];
  const present = moments.get(pocket);
  const [first] = sealed;
  const slot = present?.slot ?? (first ? Date.parse(first.sealed_at) : null);
  const { window_ends_at: ends_at = null, window_held_share: held_share = null } = present ?? {};
  return {
    slot,
    ahead: [
      ...(present
        ? [{ minutes: 0, calm_probability: present.calm_probability, expected_calm: present.calm_level }]
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
