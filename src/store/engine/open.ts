import { join } from 'node:path';
import { openPostgres, pipelineTimeouts, type StatementTimeouts } from './postgres.ts';
import { routedStore, type Servers } from './servers/readers.ts';
import { openSqlite } from './sqlite.ts';
import { type Engine, type Store, StoreError } from './store.ts';

export interface StoreSettings {
  /** Unset: the embedded store in `dataDir`; `none`: no datastore. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** Of PostgreSQL only: how long a statement may take. By default as long as the pipeline allows. */
  timeouts?: StatementTimeouts;
  /** Of PostgreSQL only: how many connections to read it opens at most. */
  readConnections?: number;
  /** The number of the schema that the program is written for; by default that of the newest file of migrations/. */
  schema?: number;
  /** Of PostgreSQL only: what answers may read, and what the thread that decides so shares with others. */
  replica?: { url: string; shared: Int32Array };
}

export function openStore(settings: StoreSettings): Engine {
  const { databaseUrl, dataDir, timeouts = pipelineTimeouts, readConnections, schema } = settings;
  if (databaseUrl === 'none') throw new StoreError('not_configured');
  return databaseUrl
    ? openPostgres(databaseUrl, timeouts, { readConnections, schema })
    : openSqlite(sqliteFile(dataDir), schema);
}

export type ReplicaSettings = StoreSettings & Required<Pick<StoreSettings, 'replica'>>;

/** The servers of settings with a replica. Without a primary they are only read. */
export function openServers(settings: ReplicaSettings, primary: Engine | undefined): Servers {
  const { replica, timeouts = pipelineTimeouts, readConnections } = settings;
  const { url, shared } = replica;
  return { primary, replica: openPostgres(url, timeouts, { readConnections, standby: true }), shared };
}

/** The store of a thread that only reads, and does not decide from where. */
export function openReader({ replica, ...settings }: StoreSettings): Store {
  if (!replica) return openStore(settings);
  const primary = settings.databaseUrl ? openStore(settings) : undefined;
  return routedStore(openServers({ ...settings, replica }, primary));
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'pocketwatch.sqlite');

/** The store with `DATABASE_URL=none`: every call fails with `not_configured`. */
export function noStore(): Store {
  const refuse = async () => {
    throw new StoreError('not_configured');
  };
  return {
    engine: 'sqlite',
    all: refuse,
    get: refuse,
    transaction: refuse,
    clock: refuse,
    close: async () => undefined,
  };
}
