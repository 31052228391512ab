import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { settings } from '../src/config.ts';
import type { StoreSettings } from '../src/store/engine/open.ts';
import { type Engine, scratchDatabase, sqlitePlace } from '../test/support/postgres.ts';
import type { Question } from './probe.ts';

/** What a measurement is given: how much it may do, and a place for whatever must be undone however it ends. */
export interface Bench {
  rounds: number;
  quick: boolean;
  engines: Engine[];
  /** Why PostgreSQL is not among them, where it is not. */
  withoutPostgres?: string;
  /** Aborted when the bench is to stop: what is under way ends, nothing else begins. */
  signal: AbortSignal;
  defer(undo: () => unknown): void;
}

export interface Target {
  url: string;
  process: ChildProcess;
}

export const file = (name: string): string => join(import.meta.dirname, name);

/** A process that goes when the measurement ends, or the bench. */
export function start({ defer }: Bench, name: string, args: string[] = [], options: ForkOptions = {}) {
  const child = fork(file(name), args, { execArgv: ['--import', file('probe.ts')], ...options });
  const ended = once(child, 'exit');
  defer(async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
    child.kill('SIGKILL');
  });
  return child;
}

/** One message there, one back; a process that ends instead is a fault. */
export function ask<T>(child: ChildProcess, message: object | Question): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null) => {
      child.off('message', answer);
      reject(new Error(`${child.spawnargs.at(-1)} ended by itself (${code})`));
    };
    const answer = (reply: unknown) => {
      child.off('exit', end);
      resolve(reply as T);
    };
    child.once('message', answer).once('exit', end);
    child.send(message, (error) => error && reject(error));
  });
}

export const probe = async ({ process }: Target, question: Question): Promise<number> =>
  (await ask<{ value: number }>(process, question)).value;

/** A yardstick that answers with `payload`. */
export async function startYardstick(bench: Bench, name: string, payload: object): Promise<Target> {
  const child = start(bench, join('yardsticks', name));
  const { port } = await ask<{ port: number }>(child, payload);
  return { url: `http://127.0.0.1:${port}`, process: child };
}

/** The service as it runs anywhere, with its default settings but for the limit on requests of one address. */
export async function startService(bench: Bench, engine: Engine = 'sqlite'): Promise<Target> {
  const { dataDir, databaseUrl = '' } = await newPlace(bench, engine);
  const port = await sparePort();
  const errors = join(dataDir, 'errors');
  const streams = [openSync(join(dataDir, 'log'), 'w'), openSync(errors, 'w')];
  bench.defer(() => streams.forEach(closeSync));
  const child = start(bench, '../src/main.ts', ['serve'], {
    env: {
      ...ownEnvironment(),
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      HISTORY_DAYS: '1',
      MCP_RATE_LIMIT: '0',
    },
    stdio: ['ignore', ...streams, 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/api/ready`).catch(() => undefined))?.ok) {
    bench.signal.throwIfAborted();
    if (!child.connected) throw new Error(`the service did not start: ${readFileSync(errors, 'utf8')}`);
    await delay(100);
  }
  await settled(bench, `${url}/api/atmosphere?pocket=tiongbahru`);
  return { url, process: child };
}

/** Without settings that somebody made for a service of theirs. */
export const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings)));

/** The pipeline writes what is due at the start; until then answers change. */
async function settled({ signal }: Bench, url: string): Promise<void> {
  const ask = async () => (await fetch(url)).text();
  let before = '';
  for (let now = await ask(); now !== before; now = await ask()) {
    before = now;
    await delay(1_500, undefined, { signal });
  }
}

/** An empty store, gone when the measurement ends. */
export async function newPlace({ defer }: Bench, engine: Engine): Promise<StoreSettings> {
  const { dataDir, remove } = await sqlitePlace();
  defer(remove);
  if (engine === 'sqlite') return { dataDir, databaseUrl: undefined };
  const { url, drop } = await scratchDatabase();
  defer(drop);
  return { dataDir, databaseUrl: url };
}

async function sparePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
