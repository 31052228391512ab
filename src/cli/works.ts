import { hostname } from 'node:os';
import { type Config, readConfig } from '../config.ts';
import type { Registry } from '../domain/city.ts';
import type { Signer } from '../ledger/key.ts';
import { Memory } from '../pipeline/memory.ts';
import { PocketForecaster } from '../pipeline/pocket-forecaster.ts';
import type { Works } from '../pipeline/tick.ts';
import { simulatedCity } from '../sources/simulated/city.ts';
import { LedgerLog } from '../store/ledger-log.ts';
import { migrate } from '../store/migrate.ts';
import type { Engine } from '../store/store.ts';
import { say } from './command.ts';
import { ledgerSigner } from './ledger-key.ts';
import { registryOf, storeOf } from './open.ts';
import { Roster } from './roster.ts';

export interface Wired extends Works {
  store: Engine;
  signer: Signer;
  renew: () => Promise<void>;
}

/** The pipeline's parts, put together as the settings say, with the store brought up to date. */
export async function wireWorks(config: Config = readConfig(process.env)): Promise<Wired> {
  const roster = new Roster(registryOf(config));
  const signer = ledgerSigner(config);
  const store = storeOf(config);
  await migrate(store, Date.now());
  await roster.look(store, say);
  const sourceOf = (registry: Registry) => simulatedCity(registry, config.SEED || registry.city.seed);
  const works: Wired = {
    store,
    registry: roster.registry,
    source: sourceOf(roster.registry),
    memory: new Memory(),
    forecaster: new PocketForecaster(),
    ledger: new LedgerLog(signer),
    signer,
    worker: `${hostname()}:${process.pid}`,
    renew: async () => {
      if (!(await roster.look(store, say))) return;
      works.registry = roster.registry;
      works.source = sourceOf(roster.registry);
    },
  };
  return works;
}
