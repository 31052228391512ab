// The builds that have served from this store.
import { fullDiskText, type Store } from '../engine/store.ts';

/** When this build first ran on this store: recorded by its first start, and the same after every restart. */
export async function recordFirstRun(store: Store, version: string, now: number): Promise<number> {
  const find = () =>
    store.get<{ at: number }>('select first_run_at as at from builds where version = ?', version);
  const known = await find();
  if (known) return known.at;
  // Another process may start at the same time: the first row stays.
  try {
    await store.transaction((tx) =>
      tx.insert('builds', [{ version, first_run_at: now }], 'on conflict (version) do nothing'),
    );
  } catch (error) {
    // A full disk keeps no build from answering; a later start records it.
    if (fullDiskText(error) === undefined) throw error;
  }
  return (await find())?.at ?? now;
}
