import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { openStore } from '../../store/engine/open.ts';
import type { Patience } from '../../store/engine/postgres.ts';
import type { Engine } from '../../store/engine/store.ts';

export const storeOf = ({ DATABASE_URL, DATA_DIR }: Config, patience?: Patience): Engine =>
  openStore({ databaseUrl: DATABASE_URL, dataDir: DATA_DIR, ...(patience && { patience }) });

export const registryOf = (config: Config): Registry => loadRegistry(config.REGISTRY_DIR ?? singaporeDir);
