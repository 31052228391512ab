import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { openStore, type StoreSettings } from '../../store/engine/open.ts';
import type { StatementTimeouts } from '../../store/engine/postgres.ts';
import type { Engine } from '../../store/engine/store.ts';

export const storeSettingsOf = ({ DATABASE_URL, DATA_DIR }: Config): StoreSettings => ({
  databaseUrl: DATABASE_URL,
  dataDir: DATA_DIR,
});

export const storeOf = (config: Config, timeouts?: StatementTimeouts): Engine =>
  openStore({ ...storeSettingsOf(config), ...(timeouts && { timeouts }) });

export const registryOf = (config: Config): Registry => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);
