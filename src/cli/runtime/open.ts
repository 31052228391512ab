import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { type LoadedCity, loadCity } from '../../registry/load.ts';
import { describeFeeds } from '../../sources/core/feed-terms.ts';
import { allAdapters, feedProblems } from '../../sources/live/all.ts';
import { isForReplays } from '../../sources/live/files.ts';
import { openStore, type StoreSettings } from '../../store/engine/open.ts';
import type { StatementTimeouts } from '../../store/engine/postgres.ts';
import { schemaFiles } from '../../store/engine/schema-files.ts';
import type { Engine } from '../../store/engine/store.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { say } from './command.ts';

export const storeSettings = ({ DATABASE_URL, DATA_DIR }: Config): StoreSettings => ({
  databaseUrl: DATABASE_URL,
  dataDir: DATA_DIR,
});

export const openConfiguredStore = (config: Config, timeouts?: StatementTimeouts): Engine =>
  openStore({ ...storeSettings(config), ...(timeouts && { timeouts }) });

/** Upgrades the store first, with the patience of the pipeline: a request's would not wait for another process that does it. */
export async function openUpgradedStore(config: Config, timeouts?: StatementTimeouts): Promise<Engine> {
  const upgrading = openConfiguredStore(config);
  try {
    const applied = await migrate(upgrading, Date.now());
    if (applied.length > 0 && applied.length < schemaFiles.length)
      say(`upgraded ${upgrading.location}: applied ${applied.join(', ')}`);
  } finally {
    await upgrading.close();
  }
  return openConfiguredStore(config, timeouts);
}

const DEFAULT_CITY = 'singapore';

/** The folder of the city that the settings choose. */
export const configuredCityDir = ({ CITY, CITY_DIR }: Config): string =>
  CITY_DIR ?? cityDir(CITY || DEFAULT_CITY);

/** With what answers say about the feeds, which the files alone do not hold: adapters know the publishers' terms. */
export function loadConfiguredCity(config: Config): LoadedCity {
  const { registry, feeds } = loadCity(configuredCityDir(config), feedProblems);
  if (feeds.length === 0) return { registry, feeds };
  return {
    registry: {
      ...registry,
      feeds: describeFeeds(
        feeds.filter((feed) => !isForReplays(feed)),
        allAdapters,
      ),
    },
    feeds,
  };
}

export const loadConfiguredRegistry = (config: Config): Registry => loadConfiguredCity(config).registry;
