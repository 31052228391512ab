// A primary and its streaming replica, as throw-away servers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onServer } from '../stores/postgres-admin.ts';
import { type Binaries, embeddedBinaries, installedBinaries } from '../stores/postgres-binaries.ts';
import { type Cluster, startCluster } from '../stores/postgres-cluster.ts';

/** Of a server that can be replicated; undefined where none is installed. */
export async function replicatedBinaries(): Promise<Binaries | undefined> {
  const found = [...installedBinaries(), ...(await embeddedBinaries())];
  return found.find(({ bin }) => existsSync(join(bin, 'pg_basebackup')));
}

export const noReplication = 'no PostgreSQL with pg_basebackup';

export interface ClusterPair {
  primary: Cluster;
  replica: Cluster;
  /** An address that names both servers. */
  both: string;
  /** Keeps the replica from applying what it receives. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has all that the primary has. */
  caughtUp(): Promise<void>;
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const CONFLICT = '40001';

const settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  // What is committed is sent at once.
  synchronous_commit: 'on',
  // A statement that stands in the way of what is to be applied is ended at once.
  max_standby_streaming_delay: '0',
};

export async function startPair(binaries: Binaries): Promise<ClusterPair> {
  const primary = await startCluster(binaries, { settings });
  const replica = await startCluster(binaries, { settings, replicaOf: primary.url }).catch(async (error) => {
    await primary.stop();
    throw error;
  });
  const position = async (url: string, of: string) =>
    Number((await onServer<{ at: string }>(url, `select ${of} - '0/0' as at`))[0]?.at);
  return {
    primary,
    replica,
    both: primary.url.replace(/(?<=@[^/]+)(?=\/)/, `,${new URL(replica.url).host}`),
    pause: async () => void (await onServer(replica.url, 'select pg_wal_replay_pause()')),
    resume: async () => {
      // What is applied then may end this very statement.
      await onServer(replica.url, 'select pg_wal_replay_resume()').catch((error) => {
        if (error.code !== CONFLICT) throw error;
      });
    },
    caughtUp: async () => {
      const written = await position(primary.url, 'pg_current_wal_lsn()');
      while ((await position(replica.url, 'pg_last_wal_replay_lsn()')) < written) await delay(20);
    },
    promote: async () => void (await onServer(replica.url, 'select pg_promote()')),
    stop: async () => {
      await replica.stop();
      await primary.stop();
    },
  };
}
