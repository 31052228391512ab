import type { Config } from '../config.ts';
import type { Registry } from '../domain/city.ts';
import { loadRegistry, singaporeDir } from '../registry/load.ts';
import { openStore } from '../store/open.ts';
import type { Engine } from '../store/store.ts';

export const storeOf = (config: Config): Engine =>
  openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR });

export const registryOf = (config: Config): Registry => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);
