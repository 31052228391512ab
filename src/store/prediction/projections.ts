// The current projections of a pocket, and what they would be under another weather or crowd (scenarios).
import { CURRENT_FOR } from '../../domain/decision/moment.ts';
import { HORIZONS, type ProjectionPayload, projectionGenerator } from '../../domain/prediction/prediction.ts';
import type { ScenarioOutlook } from '../../domain/prediction/scenario.ts';
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
