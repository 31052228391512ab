// A migrated store on either engine, closed and removed when the test ends.
import type { TestContext } from 'node:test';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Engine } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import type { MakePlace } from './store-places.ts';

/** Opens `count` connections, as so many processes would, to one place. */
export async function openStores(
  t: Pick<TestContext, 'after'>,
  makePlace: MakePlace,
  count: number,
  migrated = true,
): Promise<Engine[]> {
  const place = await makePlace(migrated ? 'schema' : 'empty');
  const engines = Array.from({ length: count }, () => openStore(place));
  t.after(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    await place.remove();
  });
  if (migrated && engines[0]) await migrate(engines[0], 0);
  return engines;
}

export async function openMigratedStore(
  t: Pick<TestContext, 'after'>,
  makePlace: MakePlace,
): Promise<Engine> {
  const [engine] = await openStores(t, makePlace, 1);
  if (!engine) throw new Error('no store');
  return engine;
}
