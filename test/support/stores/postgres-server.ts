// A PostgreSQL server for one run of the tests. A separate process owns the server and stops it when its standard
// input closes, which happens however the test runner ends.
// TEST_DATABASE_URL names a server to use instead; TEST_POSTGRES=installed, embedded or none narrows the search, and
// TEST_POSTGRES_FOLDER says where its folder is to be.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { embeddedBinaries, installedBinaries } from './postgres-binaries.ts';
import { type Cluster, serverVersion, startCluster, sweepClusters } from './postgres-cluster.ts';

/** A server, or the reasons why there is none. */
type FoundServer = { url: string; about: string } | { url?: never; about: string };

const folder = process.env.TEST_POSTGRES_FOLDER;

type TestServer = FoundServer & { stop(): Promise<void> };

export async function startServer(env: NodeJS.ProcessEnv = process.env): Promise<TestServer> {
  const owner = spawn(process.execPath, [import.meta.filename], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    // Out of reach of Ctrl-C, and of a kill of the whole group.
    detached: true,
  });
  const ended = once(owner, 'exit');
  const stop = async () => {
    owner.stdin.end();
    await ended;
  };
  for await (const line of createInterface({ input: owner.stdout })) {
    const found: FoundServer = JSON.parse(line);
    return { ...found, stop };
  }
  throw new Error('the process that owns the PostgreSQL server died');
}

async function runServerProcess(): Promise<void> {
  const closed = once(process.stdin.resume(), 'close');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  sweepClusters(folder);
  const { found, cluster } = await findServer();
  process.stdout.write(`${JSON.stringify(found)}\n`);
  await closed;
  await cluster?.stop();
}

async function findServer(): Promise<{ found: FoundServer; cluster?: Cluster }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const about = await serverVersion(given).then(
      (version) => ({ url: given, about: `PostgreSQL ${version}, from TEST_DATABASE_URL` }),
      (error) => ({ about: `the server of TEST_DATABASE_URL does not answer: ${error.message}` }),
    );
    return { found: about };
  }
  const only = process.env.TEST_POSTGRES;
  const refused: string[] = only ? [`only the kind TEST_POSTGRES=${only} was asked for`] : [];
  const kinds = { installed: installedBinaries, embedded: embeddedBinaries };
  for (const [kind, look] of Object.entries(kinds)) {
    if (only && only !== kind) continue;
    for (const binaries of await look()) {
      try {
        const cluster = await startCluster(binaries, { folder });
        const about = `PostgreSQL ${cluster.version}, a throw-away server ${binaries.origin}`;
        return { found: { url: cluster.url, about }, cluster };
      } catch (error) {
        refused.push(`${binaries.origin}: ${(error as Error).message}`);
      }
    }
  }
  return { found: { about: refused.join('\n') || 'none is installed here' } };
}

if (import.meta.main) await runServerProcess();
