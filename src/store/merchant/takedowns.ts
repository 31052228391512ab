// Takedowns: requests of outlets to be removed, and how each was resolved. Both tables are append-only.
import { TAKEDOWN_SLA, type TakedownOutcome } from '../../domain/city/takedown.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { writeOutletChange } from './outlet-changes.ts';

export interface Takedown {
  id: number;
  outlet_id: string;
  requested_at: number;
  due_at: number;
}

export interface OpenTakedown extends Takedown {
  /** Milliseconds since the request. */
  age: number;
  overdue: boolean;
}

export interface ResolvedTakedown extends Takedown {
  outcome: TakedownOutcome | null;
  resolved_at: number | null;
}

/** The takedowns that are not resolved, the one due first at the head. */
export async function openTakedowns(store: Reader, now: number): Promise<OpenTakedown[]> {
  const rows = await store.all<Takedown>(
    `select id, outlet_id, requested_at, due_at from takedowns t
     where not exists (select 1 from takedown_resolutions r where r.takedown_id = t.id)
     order by due_at, id`,
  );
  return rows.map((row) => ({ ...row, age: now - row.requested_at, overdue: row.due_at < now }));
}

/** The newest takedowns, resolved or not. */
export const recentTakedowns = (store: Reader, most: number): Promise<ResolvedTakedown[]> =>
  store.all<ResolvedTakedown>(
    `select id, outlet_id, requested_at, due_at, outcome, resolved_at
     from takedowns t left join takedown_resolutions r on r.takedown_id = t.id order by id desc limit ?`,
    most,
  );

export const findTakedown = (store: Reader, id: number): Promise<ResolvedTakedown | undefined> =>
  store.get<ResolvedTakedown>(
    `select id, outlet_id, requested_at, due_at, outcome, resolved_at
     from takedowns t left join takedown_resolutions r on r.takedown_id = t.id where id = ?`,
    id,
  );

/** The newest takedown of an outlet. */
export const latestTakedown = (store: Reader, outlet: string): Promise<ResolvedTakedown | undefined> =>
  store.get<ResolvedTakedown>(
    `select id, outlet_id, requested_at, due_at, outcome, resolved_at
     from takedowns t left join takedown_resolutions r on r.takedown_id = t.id
     where outlet_id = ? order by id desc limit 1`,
    outlet,
  );

/** The caller holds the operator lock. The outlet becomes inactive in the same transaction. */
export async function addTakedown(
  tx: Transaction,
  outlet_id: string,
  requested_at: number,
  now: number,
): Promise<Takedown> {
  const due_at = requested_at + TAKEDOWN_SLA;
  const last = await tx.get<{ id: number }>('select coalesce(max(id), 0) as id from takedowns');
  const takedown = { id: (last?.id ?? 0) + 1, outlet_id, requested_at, due_at };
  await tx.insert('takedowns', [{ ...takedown, recorded_at: now }]);
  await writeOutletChange(tx, 'takedown', outlet_id, { active: false }, now);
  return takedown;
}

/** The caller holds the operator lock. */
export const resolveTakedown = (
  tx: Transaction,
  takedown_id: number,
  outcome: TakedownOutcome,
  now: number,
): Promise<void> => tx.insert('takedown_resolutions', [{ takedown_id, outcome, resolved_at: now }]);
