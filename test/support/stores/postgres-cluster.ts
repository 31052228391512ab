// A throw-away PostgreSQL server: its own folder, port and password, and nothing on disk is synced.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Binaries } from './postgres-binaries.ts';

export interface Cluster {
  url: string;
  version: string;
  /** Ends the server: `fast` lets it close its connections, `immediate` is as if it crashed. */
  halt(how: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again after `halt`. */
  start(): Promise<void>;
  /** Stops its processes without ending them, as a machine that hangs; `thaw` lets them go on. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

type User = { uid?: number; gid?: number };

// Root's temporary folder may be closed to the user the server runs as.
const base = process.getuid?.() === 0 ? '/tmp' : tmpdir();
const prefix = 'pocketwatch-pg-';
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Its workers would visit the databases of all tests, none of which lives long enough to need them.
  autovacuum: 'off',
};

export interface ClusterOptions {
  /** Where its own folder is made; by default on the disk. */
  folder?: string | undefined;
  /** Settings of the server in place of the usual ones. */
  settings?: Record<string, string>;
  /** The address of the server that it is a streaming replica of. */
  replicaOf?: string;
  /** Puts files into its folder, which the server's user then owns, before it starts. */
  prepare?: (home: string) => Record<string, string>;
}

export async function startCluster({ bin }: Binaries, options: ClusterOptions = {}): Promise<Cluster> {
  const user = ordinaryUser();
  const home = mkdtempSync(join(options.folder ?? base, `${prefix}${process.pid}-`));
  try {
    const prepared = options.prepare?.(home);
    for (const path of [home, ...globSync(join(home, '*'))])
      if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
    const own = { ...options, settings: { ...options.settings, ...prepared } };
    return await startIn(home, reachable(bin, home, user), user, own);
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what killed runs left; a server whose folder is gone ends by itself within a minute. */
export function sweepClusters(folder = base): void {
  for (const home of [base, folder].flatMap((one) => globSync(join(one, `${prefix}*`)))) {
    if (isAlive(Number.parseInt(basename(home).slice(prefix.length), 10))) continue;
    try {
      rmSync(home, { recursive: true, force: true });
    } catch {
      // Another user's.
    }
  }
}

async function startIn(
  home: string,
  bin: string,
  user: User,
  { settings: own, replicaOf }: ClusterOptions,
): Promise<Cluster> {
  const data = join(home, 'data');
  const password = replicaOf ? new URL(replicaOf).password : randomBytes(16).toString('hex');
  const passwordFile = join(home, 'password');
  // Only its owner can enter the folder, so the mode of the file can let the server's user read it.
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const env = serverEnvironment();
  const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const port = await sparePort();
  const [program, args] = replicaOf
    ? [
        'pg_basebackup',
        ['-D', data, '-R', '-X', 'stream', '-C', '-S', `s${port}`, '-c', 'fast', '-d', replicaOf],
      ]
    : ['initdb', ['-D', data, '-U', 'pocketwatch', `--pwfile=${passwordFile}`, ...flags]];
  const init = spawnSync(join(bin, program as string), args as string[], {
    ...user,
    cwd: home,
    env,
    encoding: 'utf8',
  });
  if (init.status !== 0) throw new Error(init.error?.message ?? lastLines(init.stderr));

  const url = `postgres://pocketwatch:${password}@127.0.0.1:${port}/postgres`;
  const options = Object.entries({ ...settings, ...own }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let log = '';
  const launch = (): ChildProcess => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', `${port}`, ...options], {
      ...user,
      cwd: home,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr?.on('data', (chunk) => {
      log = `${log}${chunk}`.slice(-4000);
    });
    return server;
  };
  let server = launch();
  try {
    const version = await versionOnceReady(url, server);
    return {
      url,
      version,
      halt: async (how) => {
        const ended = once(server, 'exit');
        server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
        await ended;
      },
      start: async () => {
        server = launch();
        await versionOnceReady(url, server);
      },
      freeze: () => signalTree(server, 'SIGSTOP'),
      thaw: () => signalTree(server, 'SIGCONT'),
      stop: () => stop(server, home),
    };
  } catch (error) {
    await stop(server, home);
    throw new Error(lastLines(log) || String(error));
  }
}

/** Signals the server and the processes of its connections, each of which is a process group of its own. */
function signalTree({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  const children = spawnSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
  for (const process_id of [pid, ...children.map(Number)]) process.kill(process_id, signal);
}

async function versionOnceReady(url: string, server: ChildProcess): Promise<string> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await serverVersion(url);
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

export async function serverVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  } finally {
    await client.end();
  }
}

async function stop(server: ChildProcess, home: string): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit');
    // Immediate shutdown: no data has to survive.
    server.kill('SIGQUIT');
    await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
    server.kill('SIGKILL');
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}

/** PostgreSQL refuses to run as root. */
export function ordinaryUser(): User {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('root may not run PostgreSQL, and there is no user postgres or nobody');
}

/** A copy of the programs where that user may not enter the folder they are in, such as root's home. */
function reachable(bin: string, home: string, user: User): string {
  const probe = spawnSync(join(bin, 'postgres'), ['--version'], { ...user, cwd: home, encoding: 'utf8' });
  if (user.uid === undefined || (probe.error as NodeJS.ErrnoException | undefined)?.code !== 'EACCES')
    return bin;
  const copy = join(home, 'programs');
  mkdirSync(copy);
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, basename(bin));
}

/** Settings meant for clients (PGOPTIONS, PGDATA …) must not reach the server. */
function serverEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('PG') && !name.startsWith('LC_'),
  );
  return { ...Object.fromEntries(inherited), LC_ALL: 'C' };
}

export async function sparePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no spare port');
  return address.port;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' ');
}
