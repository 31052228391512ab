// The current projections of a pocket, and what they would be under another weather or crowd (scenarios).
import { CURRENT_FOR } from '../../domain/decision/moment.ts';
import { HORIZONS, type ProjectionPayload, projectionGenerator } from '../../domain/prediction/prediction.ts';
import type { ScenarioOutlook } from '../../domain/prediction/scenario.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** The newest projections of a pocket, nearest horizon first; none when they are older than `CURRENT_FOR`. */
export async function currentProjections(
  store: Reader,
  pocket: string,
  now: number,
): Promise<ProjectionPayload[]> {
  const rows = await store.all<{ slot: number; payload: string }>(
    `select p.slot, e.payload from predictions p join ledger_entries e on e.leaf = p.leaf
     where p.pocket_id = ? and p.slot > ? and p.slot <= ? and p.generator in (${HORIZONS.map(() => '?').join(', ')})
     order by p.slot desc, p.reveal_at`,
    pocket,
    now - CURRENT_FOR,
    now,
    ...HORIZONS.map(projectionGenerator),
  );
  return rows
    .filter(({ slot }) => slot === rows[0]?.slot)
    .map(({ payload }) => JSON.parse(payload) as ProjectionPayload);
}

/** The chance of calm by minutes ahead. */
export type CalmAhead = Map<number, number>;

/** The chance of calm in the newest projections of every pocket; pockets without current ones are left out. */
export async function calmAheadByPocket(store: Reader, now: number): Promise<Map<string, CalmAhead>> {
  const oldest = now - CURRENT_FOR;
  // What is sealed in the last slots is due within these bounds; they are for the index on reveal_at.
  const [nearest, farthest] = [Math.min(...HORIZONS) * MINUTE, Math.max(...HORIZONS) * MINUTE];
  const rows = await store.all<{ payload: string }>(
    `select e.payload from predictions p join ledger_entries e on e.leaf = p.leaf
     where p.reveal_at > ? and p.reveal_at <= ? and p.slot > ? and p.slot <= ?
       and p.generator in (${HORIZONS.map(() => '?').join(', ')})
     order by p.slot`,
    oldest + nearest,
    now + farthest,
    oldest,
    now,
    ...HORIZONS.map(projectionGenerator),
  );
  // Rows are in slot order, so the newest projection of a pocket and horizon replaces the others.
  const byPocket = new Map<string, CalmAhead>();
  for (const { payload } of rows) {
    const { pocket_id, horizon_minutes, forecast } = JSON.parse(payload) as ProjectionPayload;
    const ahead = byPocket.get(pocket_id) ?? new Map();
    byPocket.set(pocket_id, ahead.set(horizon_minutes, forecast.calm_probability));
  }
  return byPocket;
}

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
