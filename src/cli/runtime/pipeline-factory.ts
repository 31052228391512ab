import { hostname } from 'node:os';
import { type Config, readConfig } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { type Signer, signerOf } from '../../ledger/key.ts';
import type { PipelineContext } from '../../pipeline/core/context.ts';
import { PipelineState } from '../../pipeline/core/pipeline-state.ts';
import { PocketForecaster } from '../../pipeline/core/pocket-forecaster.ts';
import { historyThread } from '../../pipeline/history-thread.ts';
import { simulatedCity } from '../../sources/simulated/city.ts';
import { migrate } from '../../store/engine/migrate.ts';
import type { Engine } from '../../store/engine/store.ts';
import { LedgerLog } from '../../store/ledger/ledger-log.ts';
import { LogTree } from '../../store/ledger/log-tree.ts';
import type { Behind } from '../../store/write-behind.ts';
import { say } from './command.ts';
import { ledgerKey } from './ledger-key.ts';
import { LiveOutlets } from './live-outlets.ts';
import { registryOf, storeOf, storeSettings } from './open.ts';

export interface Pipeline extends PipelineContext {
  store: Engine;
  signer: Signer;
  renew: () => Promise<void>;
  /** The same store, written by a thread of its own. */
  historyThread: () => Behind;
}

/** The pipeline's parts, put together as the settings say, with the store brought up to date. */
export async function createPipeline(config: Config = readConfig(process.env)): Promise<Pipeline> {
  const roster = new LiveOutlets(registryOf(config));
  const key = ledgerKey(config);
  const signer = signerOf(config.LEDGER_ORIGIN, key);
  const store = storeOf(config);
  await migrate(store, Date.now());
  await roster.look(store, say);
  const seedOf = ({ city }: Registry) => config.SEED || city.seed;
  const sourceOf = (registry: Registry) => simulatedCity(registry, seedOf(registry));
  const works: Pipeline = {
    store,
    registry: roster.registry,
    source: sourceOf(roster.registry),
    state: new PipelineState(),
    forecaster: new PocketForecaster(),
    ledger: new LedgerLog(new LogTree(signer)),
    signer,
    worker: `${hostname()}:${process.pid}`,
    renew: async () => {
      if (!(await roster.look(store, say))) return;
      works.registry = roster.registry;
      works.source = sourceOf(roster.registry);
    },
    historyThread: () =>
      historyThread({
        settings: storeSettings(config),
        signer: { name: config.LEDGER_ORIGIN, key },
        registry: works.registry,
        seed: seedOf(works.registry),
      }),
  };
  return works;
}
