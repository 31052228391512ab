// A city of few pockets, and a pipeline over it that can be restarted: quick enough for properties.
import type { Registry } from '../../../src/domain/city/city.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { PipelineState } from '../../../src/pipeline/core/pipeline-state.ts';
import { PocketForecaster } from '../../../src/pipeline/core/pocket-forecaster.ts';
import { loadRegistry, singaporeDir } from '../../../src/registry/load.ts';
import { simulatedCity } from '../../../src/sources/simulated/city.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { LedgerLog } from '../../../src/store/ledger/ledger-log.ts';
import { LogTree } from '../../../src/store/ledger/log-tree.ts';
import { testSigner } from '../stores/test-key.ts';

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
export const freshWorks = (store: Store, registry: Registry): PipelineContext => ({
  store,
  registry,
  source: simulatedCity(registry),
  state: new PipelineState(),
  forecaster: new PocketForecaster(),
  ledger: new LedgerLog(new LogTree(testSigner)),
  worker: 'test',
});
