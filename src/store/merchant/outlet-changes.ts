// Operators' changes to outlets, numbered without gaps: readers apply those after the last number they have seen.
import type { Outlet } from '../../domain/city/city.ts';
import type { OutletAction, OutletChange } from '../../domain/city/outlet-change.ts';
import type { Reader, Transaction } from '../engine/store.ts';

/** The changes with a number above `after`, in order. */
export async function outletChanges(store: Reader, after: number): Promise<OutletChange[]> {
  const rows = await store.all<{ seq: number; outlet_id: string; body: string }>(
    'select seq, outlet_id, body from outlet_changes where seq > ? order by seq',
    after,
  );
  return rows.map(({ seq, outlet_id, body }) => ({ seq, outlet_id, fields: JSON.parse(body) }));
}

/** The caller holds the operator lock, so that the next number is free and becomes visible in order. */
export async function writeOutletChange(
  tx: Transaction,
  action: OutletAction,
  outlet_id: string,
  fields: Partial<Outlet>,
  at: number,
): Promise<void> {
  await tx.run(
    `insert into outlet_changes (seq, at, outlet_id, action, body)
     select coalesce(max(seq), 0) + 1, cast(? as bigint), ?, ?, ? from outlet_changes`,
    at,
    outlet_id,
    action,
    JSON.stringify(fields),
  );
}
