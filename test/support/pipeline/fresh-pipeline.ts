// A pipeline of the simulated city, in the state of a process that has just started: all it knows is in the store.
import type { Registry } from '../../../src/domain/city/city.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { Districts } from '../../../src/pipeline/core/districts.ts';
import { PipelineState } from '../../../src/pipeline/core/pipeline-state.ts';
import { PocketForecaster } from '../../../src/pipeline/core/pocket-forecaster.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import { simulatedCity } from '../../../src/sources/simulated/city.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { testLedger } from '../stores/test-ledger.ts';

export const freshPipeline = (
  store: Store,
  registry: Registry = loadRegistry(cityDir('singapore')),
  clock?: () => number,
): PipelineContext => ({
  store,
  registry,
  source: simulatedCity(registry),
  state: new PipelineState(),
  forecaster: new PocketForecaster(),
  districts: new Districts(),
  ledger: testLedger(clock),
  worker: 'test',
});
