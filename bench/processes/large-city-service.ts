// The service over a city of thousands of pockets, whose rows are copied by SQL, with a clock that stands still and heavy
// answers on the request thread. `drop` makes it compute every answer again.
import type { TestContext } from 'node:test';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { cityZone } from '../../src/domain/time/zone.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { openStore, type StoreSettings } from '../../src/store/engine/open.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { addPockets, addPocketsTo } from '../../test/support/growth/grow-store.ts';
import { freshPipeline } from '../../test/support/pipeline/fresh-pipeline.ts';
import { knowUsual } from '../../test/support/pipeline/known-usual.ts';
import { NOON, startService } from '../../test/support/services/service.ts';

export interface LargeCity {
  store: StoreSettings;
  /** Of each of Singapore's pockets. */
  copies: number;
  /** That are simulated; the last of them is copied. */
  hours: number;
}

const { store: settings, copies, hours } = JSON.parse(process.argv[2] ?? '') as LargeCity;
const city = loadRegistry(cityDir('singapore'));
const store = openStore(settings);
await migrate(store, NOON);
await knowUsual(store, city);
await backfill(
  freshPipeline(store, city, () => NOON),
  { from: NOON - hours * HOUR + SLOT, now: NOON },
);
await addPockets(store, { now: NOON, zone: cityZone(city.city) }, { from: 1, to: copies }, city);
if (store.engine === 'postgres') await store.transaction((tx) => tx.script('analyze'));
await store.close();

const endings: (() => unknown)[] = [];
const after = ((end: () => unknown) => endings.push(end)) as TestContext['after'];
// The store is removed by the bench.
const place = { ...settings, remove: async () => undefined };
const { url, service } = await startService(
  { after },
  { registry: addPocketsTo(city, copies), place, days: SLOT / DAY, usual: false },
);
process.on('message', async (message) => {
  if (message !== 'drop') return;
  await service.dataVersion.invalidate();
  process.send?.({ dropped: true });
});
process.once('SIGTERM', async () => {
  for (const end of endings) await end();
  process.exit();
});
process.send?.({ url });
