import { hostname } from 'node:os';
import { type Config, readConfig } from '../config.ts';
import type { Signer } from '../ledger/key.ts';
import { Memory } from '../pipeline/memory.ts';
import { PocketForecaster } from '../pipeline/pocket-forecaster.ts';
import type { Works } from '../pipeline/tick.ts';
import { loadRegistry, singaporeDir } from '../registry/load.ts';
import { simulatedCity } from '../sources/simulated/city.ts';
import { LedgerLog } from '../store/ledger-log.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/open.ts';
import type { Engine } from '../store/store.ts';
import { ledgerSigner } from './ledger-key.ts';

export interface Wired extends Works {
  store: Engine;
  signer: Signer;
}

export const storeOf = (config: Config): Engine =>
  openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });

export const registryOf = (config: Config) => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);

/** The pipeline's parts, put together as the settings say, with the store brought up to date. */
export async function wireWorks(config: Config = readConfig(process.env)): Promise<Wired> {
  const registry = registryOf(config);
  const source = simulatedCity(registry, config.SEED || registry.city.seed);
  const signer = ledgerSigner(config);
  const store = storeOf(config);
  await migrate(store, Date.now());
  return {
    store,
    registry,
    source,
    memory: new Memory(),
    forecaster: new PocketForecaster(),
    ledger: new LedgerLog(signer),
    signer,
    worker: `${hostname()}:${process.pid}`,
  };
}
