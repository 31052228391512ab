import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { openStore, type StoreSettings } from '../../store/engine/open.ts';
import type { Engine } from '../../store/engine/store.ts';

export const storeSettings = (config: Config): StoreSettings => ({
  databaseUrl: config.DATABASE_URL,
  dataDir: config.DATA_DIR,
});

export const storeOf = (config: Config): Engine => openStore(storeSettings(config));

export const registryOf = (config: Config): Registry => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);
