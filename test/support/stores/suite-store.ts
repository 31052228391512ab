// A migrated store for one suite, filled before its tests and removed after them.
import { after, before } from 'node:test';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import type { StorePlace } from './store-places.ts';

export function storeFor(
  makePlace: () => Promise<StorePlace>,
  fill: (store: Store) => Promise<void>,
): () => Store {
  let place: StorePlace;
  let store: Store;
  before(async () => {
    place = await makePlace();
    const engine = openStore(place);
    await migrate(engine, 0);
    store = engine;
    await fill(store);
  });
  after(async () => {
    await store.close();
    await place.remove();
  });
  return () => store;
}
