// The store of a process that goes on while a newer version upgrades it: what it cannot read any more is refused.
import { type Store, StoreError } from './store.ts';

/** `upgrade` tells what the last poll found. */
export function readableStore(store: Store, upgrade: () => 'upgraded' | 'unreadable' | undefined): Store {
  const readable = (): Store => {
    if (upgrade() === 'unreadable') throw new StoreError('unreadable');
    return store;
  };
  return {
    engine: store.engine,
    primary: store.primary,
    all: async (sql, ...params) => readable().all(sql, ...params),
    get: async (sql, ...params) => readable().get(sql, ...params),
    transaction: async (work, changes) => readable().transaction(work, changes),
    clock: () => store.clock(),
    close: () => store.close(),
  };
}
