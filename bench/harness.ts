// Starts and stops what the measurements need: processes, the service, baselines, pipelines, stores.
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPipeline, type Pipeline } from '../src/cli/runtime/pipeline-factory.ts';
import { readConfig, settings } from '../src/config.ts';
import { HOUR } from '../src/domain/time/slot.ts';
import { backfill } from '../src/pipeline/backfill/backfill.ts';
import { cityDir } from '../src/registry/city-dir.ts';
import { loadRegistry } from '../src/registry/load.ts';
import type { StoreSettings } from '../src/store/engine/open.ts';
import { smallRegistry } from '../test/support/pipeline/small-registry.ts';
import { type Engine, postgresPlace, sqlitePlace } from '../test/support/stores/store-places.ts';
import type { InstrumentCommand } from './processes/instrument.ts';

/** How much is measured. The smallest run has no meaning in its figures: it shows that every measurement still works. */
export type Size = 'complete' | 'quick' | 'smallest';

/** What a measurement is given. */
export interface Bench {
  size: Size;
  rounds: number;
  /** That `cluster` compares with one. */
  workers: number;
  /** Of the city of `cluster`, where it is not the usual one. */
  pockets?: number;
  engines: readonly Engine[];
  /** Why PostgreSQL is not among the engines, if it is not. */
  withoutPostgres: string;
  /** Aborted when the measurement is to stop. */
  signal: AbortSignal;
  /** Registers a clean-up step, which runs when the measurement ends, however it ends. */
  defer(cleanUp: () => unknown): void;
  /** Tells of progress. */
  say(line: string): void;
  /** What measurements share in the smallest run, where starting takes longest. It is ended with the run. */
  shared?: {
    services: Map<Engine, Promise<Service>>;
    clients: Map<string, ChildProcess>;
    defer: Bench['defer'];
  };
}

/** A server under load. */
export interface Target {
  url: string;
  process: ChildProcess;
}

export interface Service extends Target {
  /** The ids of its pockets. */
  pockets: string[];
}

export const file = (name: string): string => join(import.meta.dirname, name);
export const instrument = file('processes/instrument.ts');

/** Starts a process that is ended with the measurement, or with the bench. */
export function start({ defer, size }: Bench, name: string, args: string[] = [], options: ForkOptions = {}) {
  const child = fork(file(name), args, {
    execArgv: ['--import', instrument],
    ...options,
    env: { ...(options.env ?? process.env), BENCH_SIZE: size },
  });
  const ended = once(child, 'exit');
  defer(async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, delay(5_000, undefined, { ref: false })]);
    child.kill('SIGKILL');
  });
  return child;
}

/** Starts a program of `processes/` that asks the service. */
export function startClient(bench: Bench, name: string): ChildProcess {
  const { shared } = bench;
  if (!shared) return start(bench, join('processes', name));
  const client =
    shared.clients.get(name) ?? start({ ...bench, defer: shared.defer }, join('processes', name));
  shared.clients.set(name, client);
  return client;
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

/**
 * Starts the service with its default settings, except for a short history and no limits on what the one address that
 * all clients have here may ask.
 */
export function startService(bench: Bench, engine: Engine = 'sqlite', historyDays = 1): Promise<Service> {
  const { shared } = bench;
  if (!shared) return startOwnService(bench, engine, historyDays);
  const service =
    shared.services.get(engine) ?? startOwnService({ ...bench, defer: shared.defer }, engine, 1);
  shared.services.set(engine, service);
  return service;
}

async function startOwnService(bench: Bench, engine: Engine, historyDays: number): Promise<Service> {
  const isSmallest = bench.size === 'smallest';
  const store = await newStore(bench, engine);
  const { dataDir, databaseUrl = '' } = store;
  // No pipeline there: beside the other tests it might wait long for its turn.
  if (isSmallest) await writeLastHour(bench, store);
  const port = await freePort();
  const errors = join(dataDir, 'errors');
  const streams = [openSync(join(dataDir, 'log'), 'w'), openSync(errors, 'w')];
  bench.defer(() => streams.forEach(closeSync));
  const city = measuredCityDir(bench, dataDir);
  const child = start(bench, '../src/main.ts', ['serve'], {
    env: {
      ...environmentWithoutSettings(),
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      CITY_DIR: city,
      PIPELINE: isSmallest ? 'off' : 'on',
      HISTORY_DAYS: `${historyDays}`,
      MCP_RATE_LIMIT: '0',
      READ_RATE_LIMIT: '0',
      MAX_CONNECTIONS_PER_ADDRESS: '4096',
      MAX_STREAMS_PER_ADDRESS: '4096',
    },
    stdio: ['ignore', ...streams, 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    bench.signal.throwIfAborted();
    if (!child.connected) throw new Error(`the service did not start: ${readFileSync(errors, 'utf8')}`);
    await delay(100);
  }
  if (!isSmallest) await untilUnchanged(bench, `${url}/api/atmosphere?pocket=tiongbahru`);
  return { url, process: child, pockets: loadRegistry(city).pockets.map(({ id }) => id) };
}

/** The folder of the measured city: a few pockets of it in the smallest run. */
const measuredCityDir = ({ size }: Bench, dataDir: string): string =>
  size === 'smallest' ? smallRegistry(dataDir) : cityDir('singapore');

/** Whether the history is written. */
async function isReady(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/api/ready`).catch(() => undefined);
  return reply?.ok ?? false;
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

async function writeLastHour(bench: Bench, store: StoreSettings): Promise<void> {
  const pipeline = await pipelineOn(bench, store);
  const now = Date.now();
  await backfill(pipeline, { from: now - HOUR, now });
  await pipeline.store.close();
}

/** A pipeline in this process, on an empty store. */
export async function newPipeline(bench: Bench, engine: Engine = 'sqlite'): Promise<Pipeline> {
  const pipeline = await pipelineOn(bench, await newStore(bench, engine));
  bench.defer(() => pipeline.store.close());
  return pipeline;
}

const pipelineOn = (bench: Bench, { dataDir, databaseUrl }: StoreSettings): Promise<Pipeline> =>
  createPipeline(
    readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, CITY_DIR: measuredCityDir(bench, dataDir) }),
  );

/** An empty store that is removed when the measurement ends. */
export async function newStore({ defer }: Bench, engine: Engine): Promise<StoreSettings> {
  const { dataDir, databaseUrl, remove } = await (engine === 'postgres' ? postgresPlace : sqlitePlace)();
  defer(remove);
  return { dataDir, databaseUrl };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
