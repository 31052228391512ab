// Starts and stops what the measurements need: processes, the service, baselines, stores.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { settings } from '../src/config.ts';
import type { StoreSettings } from '../src/store/engine/open.ts';
import { type Engine, scratchDatabase, sqlitePlace } from '../test/support/stores/store-places.ts';
import type { InstrumentCommand } from './processes/instrument.ts';

/** What a measurement is given. */
export interface Bench {
  rounds: number;
  quick: boolean;
  engines: Engine[];
  /** Why PostgreSQL is not among the engines, if it is not. */
  withoutPostgres?: string;
  /** Aborted when the bench is to stop. */
  signal: AbortSignal;
  /** Registers a clean-up step, which runs when the measurement ends, however it ends. */
  defer(cleanUp: () => unknown): void;
}

/** A server under load. */
export interface Target {
  url: string;
  process: ChildProcess;
}

export const file = (name: string): string => join(import.meta.dirname, name);
export const instrument = file('processes/instrument.ts');

/** Starts a process that is ended with the measurement, or with the bench. */
export function start({ defer }: Bench, name: string, args: string[] = [], options: ForkOptions = {}) {
  const child = fork(file(name), args, { execArgv: ['--import', instrument], ...options });
  const ended = once(child, 'exit');
  defer(async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
    child.kill('SIGKILL');
  });
  return child;
}

/** Sends a message and waits for the reply; it is an error if the process ends instead. */
export function ask<T>(child: ChildProcess, message: object | string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => {
      child.off('message', onReply);
      reject(new Error(`${child.spawnargs.at(-1)} ended with code ${code}`));
    };
    const onReply = (reply: unknown) => {
      child.off('exit', onExit);
      resolve(reply as T);
    };
    child.once('message', onReply).once('exit', onExit);
    child.send(message, (error) => error && reject(error));
  });
}

export const askInstrument = async ({ process }: Target, command: InstrumentCommand): Promise<number> =>
  (await ask<{ value: number }>(process, command)).value;

/** Starts a server of `baselines/` that answers with `payload`. */
export async function startBaseline(bench: Bench, name: string, payload: object): Promise<Target> {
  const child = start(bench, join('baselines', name));
  const { port } = await ask<{ port: number }>(child, payload);
  return { url: `http://127.0.0.1:${port}`, process: child };
}

/** Starts the service with its default settings, except for `own`, a short history and no rate limits on MCP and reading. */
export async function startService(
  bench: Bench,
  engine: Engine = 'sqlite',
  historyDays = 1,
  own: NodeJS.ProcessEnv = {},
): Promise<Target> {
  const { dataDir, databaseUrl = '' } = await newStore(bench, engine);
  const port = await freePort();
  const errors = join(dataDir, 'errors');
  const streams = [openSync(join(dataDir, 'log'), 'w'), openSync(errors, 'w')];
  bench.defer(() => streams.forEach(closeSync));
  const child = start(bench, '../src/main.ts', ['serve'], {
    env: {
      ...environmentWithoutSettings(),
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      HISTORY_DAYS: `${historyDays}`,
      MCP_RATE_LIMIT: '0',
      READ_RATE_LIMIT: '0',
      ...own,
    },
    stdio: ['ignore', ...streams, 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    bench.signal.throwIfAborted();
    if (!child.connected) throw new Error(`the service did not start: ${readFileSync(errors, 'utf8')}`);
    await delay(100);
  }
  await untilUnchanged(bench, `${url}/api/atmosphere?pocket=tiongbahru`);
  return { url, process: child };
}

/** Whether the history is written. A build without `/api/ready` (404) listens only once it is. */
async function isReady(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/api/ready`).catch(() => undefined);
  return reply !== undefined && (reply.ok || reply.status === 404);
}

/** The bench does not pass on settings that were made for another service. */
const environmentWithoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings)));

const SETTLED_MS = 4_000;

/**
 * Waits until an answer has stayed the same for some seconds: at the start the pipeline writes the slots that are due,
 * and each write changes the time at which answers are computed.
 */
async function untilUnchanged({ signal }: Bench, url: string): Promise<void> {
  const read = async () => (await fetch(url)).text();
  let answer = await read();
  for (let changedAt = performance.now(); performance.now() - changedAt < SETTLED_MS; ) {
    await delay(500, undefined, { signal });
    const latest = await read();
    if (latest !== answer) changedAt = performance.now();
    answer = latest;
  }
}

/** An empty store that is removed when the measurement ends. */
export async function newStore({ defer }: Bench, engine: Engine): Promise<StoreSettings> {
  const { dataDir, remove } = await sqlitePlace();
  defer(remove);
  if (engine === 'sqlite') return { dataDir, databaseUrl: undefined };
  const { url, drop } = await scratchDatabase();
  defer(drop);
  return { dataDir, databaseUrl: url };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
