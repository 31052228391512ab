import type { Config } from '../../config.ts';
import type { Registry } from '../../domain/city/city.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { type ListForm, type LoadedCity, loadCity } from '../../registry/load.ts';
import { describeFeeds } from '../../sources/core/feed-terms.ts';
import { allAdapters, feedProblems } from '../../sources/live/all.ts';
import { isForReplays } from '../../sources/live/files.ts';
import { openServers, openStore, type StoreSettings } from '../../store/engine/open.ts';
import { requestTimeouts, type StatementTimeouts } from '../../store/engine/postgres.ts';
import { readRevision } from '../../store/engine/revision.ts';
import { schemaFiles, schemaNumber } from '../../store/engine/schema-files.ts';
import { type ReadingStore, sharedChoice, watchReplica } from '../../store/engine/servers/readers.ts';
import { type Engine, StoreError } from '../../store/engine/store.ts';
import { migrate } from '../../store/schema/migrate.ts';
import { say } from './command.ts';

export const storeSettings = ({ DATABASE_URL, DATA_DIR }: Config): StoreSettings => ({
  databaseUrl: DATABASE_URL,
  dataDir: DATA_DIR,
});

/** Whether the settings name a replica alone: then nothing can be written. */
export const onlyReads = ({ DATABASE_URL, READ_DATABASE_URL }: Config): boolean =>
  READ_DATABASE_URL !== undefined && DATABASE_URL === undefined;

export function openConfiguredStore(config: Config, timeouts?: StatementTimeouts): Engine {
  if (onlyReads(config)) throw new StoreError('read_only');
  return openStore({ ...storeSettings(config), ...(timeouts && { timeouts }) });
}

/** The settings of what answers: with READ_DATABASE_URL, and what its threads share of it. */
export const answeringSettings = (config: Config): StoreSettings => ({
  ...storeSettings(config),
  timeouts: requestTimeouts,
  ...(config.READ_DATABASE_URL && { replica: { url: config.READ_DATABASE_URL, shared: sharedChoice() } }),
});

/** What is answered from where the settings name a replica; `primary` is open already, unless there is none. */
export async function openReplica(
  { replica, ...settings }: StoreSettings,
  primary: Engine | undefined,
  tell: (line: string) => void,
): Promise<ReadingStore | undefined> {
  if (!replica) return undefined;
  const store = watchReplica(openServers({ ...settings, replica }, primary), { tell });
  if (!primary && (await readRevision(store)).schema_number < schemaNumber)
    throw new OperatorError(
      'the replica has the schema of an older version: start a process of this one with DATABASE_URL, which upgrades it',
    );
  return store;
}

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
export function loadConfiguredCity(config: Config, form?: ListForm): LoadedCity {
  const { registry, feeds } = loadCity(configuredCityDir(config), feedProblems, form);
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

export const loadConfiguredRegistry = (config: Config, form?: ListForm): Registry =>
  loadConfiguredCity(config, form).registry;
