// The current projections of a pocket, and what they would be under another weather or crowd (scenarios).
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import {
  HORIZONS,
  type ProjectionPayload,
  predictionId,
  projectionGenerator,
  revealTime,
} from '../../domain/prediction/prediction.ts';
import type { Projection } from '../../domain/prediction/projection.ts';
import type { ScenarioOutlook } from '../../domain/prediction/scenario.ts';
import { iso } from '../../domain/time/slot.ts';
import { allOfPockets } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';
import { hours, utcDay, windowAndDays, withinDays } from '../rows/day-index.ts';
import { inPocket } from './forecast-numbers.ts';

const hourOf = (slot: string) => utcDay(slot, hours);

/** Of forecasts that are current. */
const currentSlots = (now: number) => windowAndDays({ after: now - CURRENT_FOR, until: now }, hours);

/** The newest projections of a pocket, nearest horizon first; none when they are older than `CURRENT_FOR`. */
export async function currentProjections(
  store: Reader,
  pocket: string,
  now: number,
): Promise<ProjectionPayload[]> {
  const rows = await store.all<{ slot: number; leaf: number }>(
    `select p.slot, p.leaf from predictions p
     where ${inPocket('p')} and ${withinDays('p.slot', hours)} and p.generator in (${HORIZONS.map(() => '?').join(', ')})
     order by p.slot desc, p.reveal_at`,
    pocket,
    ...currentSlots(now),
    ...HORIZONS.map(projectionGenerator),
  );
  const newest = rows.filter(({ slot }) => slot === rows[0]?.slot).map(({ leaf }) => leaf);
  return readProjections(store, newest);
}

/** The chance of calm at each of `HORIZONS`; null where no projection is for it. */
export type CalmAhead = readonly (number | null)[];

/** The chance of calm in the newest projections of these pockets; pockets without current ones are left out. */
export async function calmAheadByPocket(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, CalmAhead>> {
  const byPocket = await projectionsByPocket(store, now, pockets);
  const chanceAt = (ahead: readonly SealedProjection[], minutes: number) =>
    ahead.find(({ horizon_minutes }) => horizon_minutes === minutes)?.forecast.calm_probability ?? null;
  return new Map(
    Array.from(byPocket, ([pocket, ahead]) => [pocket, HORIZONS.map((minutes) => chanceAt(ahead, minutes))]),
  );
}

/** A projection that is sealed, as far as lists of pockets show it. */
export interface SealedProjection
  extends Pick<ProjectionPayload, 'id' | 'pocket_id' | 'sealed_at' | 'reveal_at' | 'horizon_minutes'> {
  forecast: Pick<Projection, 'expected_state' | 'expected_calm' | 'calm_probability'>;
}

/** The newest projections of these pockets, nearest horizon first; pockets without current ones are left out. */
export async function projectionsByPocket(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, SealedProjection[]>> {
  const kept = await keptForecasts(store, now, pockets);
  const others = pockets.filter((id) => !kept.has(id));
  return new Map([...kept, ...(await projectionsInLedger(store, now, others))]);
}

/**
 * Of the pockets whose newest forecasts are kept apart from the ledger. What is not sealed is not told, and what was
 * sealed since is newer: those pockets are left out, and so are those of which a forecast is missing.
 */
async function keptForecasts(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, SealedProjection[]>> {
  const rows = await allOfPockets<ForecastRow>(
    store,
    pockets,
    `select o.pocket_id, o.slot, o.forecasts from asked a cross join scenario_outlooks o
     where o.pocket_id = a.pocket_id and o.slot > ? and o.slot <= ? and o.forecasts is not null
       and exists (select 1 from predictions p where ${inPocket('p', 'o.pocket_id')} and p.slot = o.slot
         and ${hourOf('p.slot')} = ${hourOf('o.slot')})
       and not exists (select 1 from predictions p where ${inPocket('p', 'o.pocket_id')} and p.slot > o.slot and p.slot <= ?
         and ${hourOf('p.slot')} >= ${hourOf('o.slot')} and ${hourOf('p.slot')} <= ?)`,
    now - CURRENT_FOR,
    now,
    now,
    Math.floor(now / hours.span),
  );
  return new Map(
    rows.flatMap((row) => {
      const ahead = forecastsOf(row);
      return ahead.length === HORIZONS.length ? [[row.pocket_id, ahead] as const] : [];
    }),
  );
}

interface ForecastRow {
  pocket_id: string;
  slot: number;
  forecasts: string;
}

export interface KeptForecast
  extends Pick<Projection, 'expected_state' | 'expected_calm' | 'calm_probability'> {
  minutes_ahead: number;
}

/** As they were sealed: what is not kept follows from pocket, slot and horizon. */
const forecastsOf = ({ pocket_id, slot, forecasts }: ForecastRow): SealedProjection[] =>
  (JSON.parse(forecasts) as KeptForecast[]).map(({ minutes_ahead, ...forecast }) => ({
    id: predictionId(pocket_id, slot, projectionGenerator(minutes_ahead)),
    pocket_id,
    sealed_at: iso(slot),
    reveal_at: iso(revealTime(slot, minutes_ahead)),
    horizon_minutes: minutes_ahead,
    forecast,
  }));

async function projectionsInLedger(
  store: Reader,
  now: number,
  pockets: readonly string[],
): Promise<Map<string, ProjectionPayload[]>> {
  const rows = await allOfPockets<{ leaf: number; pocket_id: string; generator: string }>(
    store,
    pockets,
    `select p.leaf, p.pocket_id, p.generator from asked a cross join predictions p
     where ${inPocket('p', 'a.pocket_id')} and ${withinDays('p.slot', hours)}
       and p.generator in (${HORIZONS.map(() => '?').join(', ')})
     order by p.slot`,
    ...currentSlots(now),
    ...HORIZONS.map(projectionGenerator),
  );
  // Rows are in slot order, so the newest projection of a pocket and horizon replaces the others.
  const newest = new Map(rows.map(({ leaf, pocket_id, generator }) => [`${pocket_id} ${generator}`, leaf]));
  const ahead = (await readProjections(store, [...newest.values()])).sort(
    (a, b) => a.horizon_minutes - b.horizon_minutes,
  );
  return Map.groupBy(ahead, ({ pocket_id }) => pocket_id);
}

const readProjections = async (store: Reader, leaves: readonly number[]): Promise<ProjectionPayload[]> =>
  leaves.map(await readEntries(store, leaves)).map(({ payload }) => JSON.parse(payload));

/** Replaces those of earlier slots: they are not sealed and can be computed again. */
export const writeScenarioOutlooks = (
  tx: Transaction,
  slot: number,
  pockets: readonly {
    pocket_id: string;
    outlooks: readonly ScenarioOutlook[];
    /** Those of its state that were sealed. */
    forecasts?: readonly KeptForecast[];
  }[],
): Promise<void> =>
  tx.insert(
    'scenario_outlooks',
    pockets.map(({ pocket_id, outlooks, forecasts }) => ({
      pocket_id,
      slot,
      body: JSON.stringify(outlooks),
      forecasts: forecasts ? JSON.stringify(forecasts) : null,
    })),
    'on conflict (pocket_id) do update set slot = excluded.slot, body = excluded.body, forecasts = excluded.forecasts',
  );

/** The scenarios of a pocket at `slot`; none when the stored ones are of another slot. */
export async function readScenarioOutlooks(
  store: Reader,
  pocket: string,
  slot: number,
): Promise<ScenarioOutlook[]> {
  const row = await store.get<{ body: string }>(
    'select body from scenario_outlooks where pocket_id = ? and slot = ?',
    pocket,
    slot,
  );
  return row ? (JSON.parse(row.body) as ScenarioOutlook[]) : [];
}
