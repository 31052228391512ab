// A city of few pockets, and a pipeline over it that can be restarted: quick enough for properties.
import type { Registry } from '../../src/domain/city.ts';
import { Memory } from '../../src/pipeline/memory.ts';
import { PocketForecaster } from '../../src/pipeline/pocket-forecaster.ts';
import type { Works } from '../../src/pipeline/tick.ts';
import { loadRegistry, singaporeDir } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';
import { LedgerLog } from '../../src/store/ledger-log.ts';
import { LogTree } from '../../src/store/log-tree.ts';
import type { Store } from '../../src/store/store.ts';
import { testSigner } from './ledger.ts';

/** The first pockets, or those with these ids. */
export function smallCity(which: number | readonly string[] = 2): Registry {
  const registry = loadRegistry(singaporeDir);
  const pockets = registry.pockets.filter(({ id }, n) =>
    typeof which === 'number' ? n < which : which.includes(id),
  );
  const ids = new Set(pockets.map(({ id }) => id));
  return { ...registry, pockets, outlets: registry.outlets.filter(({ pocket_id }) => ids.has(pocket_id)) };
}

/** As a process that has just started: nothing is remembered but what is in the store. */
export const freshWorks = (store: Store, registry: Registry): Works => ({
  store,
  registry,
  source: simulatedCity(registry),
  memory: new Memory(),
  forecaster: new PocketForecaster(),
  ledger: new LedgerLog(new LogTree(testSigner)),
  worker: 'test',
});
