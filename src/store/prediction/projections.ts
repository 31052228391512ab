// The current projections of a pocket, and what they would be under another weather or crowd (scenarios).
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import { HORIZONS, type ProjectionPayload, projectionGenerator } from '../../domain/prediction/prediction.ts';
import type { ScenarioOutlook } from '../../domain/prediction/scenario.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { readEntries } from '../ledger/entries.ts';

/** The newest projections of a pocket, nearest horizon first; none when they are older than `CURRENT_FOR`. */
export async function currentProjections(
  store: Reader,
  pocket: string,
  now: number,
): Promise<ProjectionPayload[]> {
  const rows = await store.all<{ slot: number; leaf: number }>(
    `select p.slot, p.leaf from predictions p
     where p.pocket_id = ? and p.slot > ? and p.slot <= ? and p.generator in (${HORIZONS.map(() => '?').join(', ')})
     order by p.slot desc, p.reveal_at`,
    pocket,
    now - CURRENT_FOR,
    now,
    ...HORIZONS.map(projectionGenerator),
  );
  const newest = rows.filter(({ slot }) => slot === rows[0]?.slot).map(({ leaf }) => leaf);
  return readProjections(store, newest);
}

/** The chance of calm by minutes ahead. */
export type CalmAhead = Map<number, number>;

/** The chance of calm in the newest projections of every pocket; pockets without current ones are left out. */
export async function calmAheadByPocket(store: Reader, now: number): Promise<Map<string, CalmAhead>> {
  const byPocket = await projectionsByPocket(store, now);
  return new Map(
    Array.from(byPocket, ([pocket, ahead]) => [
      pocket,
      new Map(ahead.map(({ horizon_minutes, forecast }) => [horizon_minutes, forecast.calm_probability])),
    ]),
  );
}

/** The newest projections of some pockets or of all, nearest horizon first; pockets without current ones are left out. */
export async function projectionsByPocket(
  store: Reader,
  now: number,
  pockets?: readonly string[],
): Promise<Map<string, ProjectionPayload[]>> {
  if (pockets?.length === 0) return new Map();
  const oldest = now - CURRENT_FOR;
  const only = pockets ? `and p.pocket_id in (${pockets.map(() => '?').join(', ')})` : '';
  const rows = await store.all<{ leaf: number }>(
    `select p.leaf from predictions p
     where p.slot > ? and p.slot <= ?
       and p.generator in (${HORIZONS.map(() => '?').join(', ')}) ${only}
     order by p.slot`,
    oldest,
    now,
    ...HORIZONS.map(projectionGenerator),
    ...(pockets ?? []),
  );
  // Rows are in slot order, so the newest projection of a pocket and horizon replaces the others.
  const newest = new Map<string, ProjectionPayload>();
  const leaves = rows.map(({ leaf }) => leaf);
  for (const projection of await readProjections(store, leaves))
    newest.set(`${projection.pocket_id} ${projection.horizon_minutes}`, projection);
  const ahead = [...newest.values()].sort((a, b) => a.horizon_minutes - b.horizon_minutes);
  return Map.groupBy(ahead, ({ pocket_id }) => pocket_id);
}

const readProjections = async (store: Reader, leaves: readonly number[]): Promise<ProjectionPayload[]> =>
  leaves.map(await readEntries(store, leaves)).map(({ payload }) => JSON.parse(payload));

/** Replaces those of earlier slots: they are not sealed and can be computed again. */
export const writeScenarioOutlooks = (
  tx: Transaction,
  slot: number,
  pockets: readonly { pocket_id: string; outlooks: readonly ScenarioOutlook[] }[],
): Promise<void> =>
  tx.insert(
    'scenario_outlooks',
    pockets.map(({ pocket_id, outlooks }) => ({ pocket_id, slot, body: JSON.stringify(outlooks) })),
    'on conflict (pocket_id) do update set slot = excluded.slot, body = excluded.body',
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
