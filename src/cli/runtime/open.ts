import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { openStore } from '../../store/engine/open.ts';
import type { Engine } from '../../store/engine/store.ts';

export const storeOf = ({ DATABASE_URL, DATA_DIR }: Config): Engine =>
  openStore({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR });

export const registryOf = (config: Config): Registry => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);
