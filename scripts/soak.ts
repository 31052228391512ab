// Entry point of `npm run soak`: an hour of mixed load on the service, and what its memory and descriptors do meanwhile.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listChildren, readMemory } from '../test/support/services/process-figures.ts';
import { untilReady } from '../test/support/services/processes.ts';
import { sqlitePlace } from '../test/support/stores/store-places.ts';
import { wholeNumber } from './options.ts';
import { type LoadCounts, runLoad } from './soak/load.ts';
import { judgeSoak, MOST_AT_REST, MOST_RISE, type Sample, SETTLED_SECONDS } from './soak/verdict.ts';

const SPEED = 30;
const HELP = `npm run soak -- [--minutes N] [--history DAYS]

Starts the service on the simulated city with a clock that runs ${SPEED} times as fast, so that a quarter hour is due every
half minute, and keeps asking: pages, addresses, tools, live streams, submissions. Every minute it prints the
resident memory and the open descriptors of the service. Afterwards it waits until the service is at rest. Exits with 1
if memory or descriptors rise by ${100 * MOST_RISE} % or more after the tenth minute, or if memory at rest is more than ${MOST_AT_REST} times that of
the idle service.

  --minutes N     how long (default: 60; it takes more than ${SETTLED_SECONDS / 60} to tell a rise)
  --history DAYS  days of history that the service begins with (default: 14)
  --help          this text
`;

const SAMPLE_MS = 5_000;
const MINUTE_MS = 60_000;
const REST_MS = 3 * MINUTE_MS;
const MB = 1_000_000;
const root = join(import.meta.dirname, '..');

interface Heap {
  pid: number;
  threadId: number;
  heapUsed: number;
  heapTotal: number;
  external: number;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '60' },
      history: { type: 'string', default: '14' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const minutes = wholeNumber('minutes', values.minutes);
  const place = await sqlitePlace('empty');
  // Written by a process of its own: the idle size is that of a service which has just been started.
  say('writing the history');
  await writeHistory(place.dataDir, wholeNumber('history', values.history));
  const began = Date.now();
  const heaps = new Map<number, Heap>();
  const service = start(place.dataDir, began, heaps);
  const exited = once(service, 'exit');
  try {
    return await soak(service, minutes, () => began + SPEED * (Date.now() - began), heaps);
  } finally {
    service.kill('SIGTERM');
    await exited;
    await place.remove();
  }
}

async function writeHistory(dataDir: string, days: number): Promise<void> {
  const backfill = spawn(process.execPath, [join(root, 'src/main.ts'), 'backfill', '--days', `${days}`], {
    env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(backfill, 'exit');
  if (code !== 0) throw new Error(`backfill ended with ${code}`);
}

function start(dataDir: string, began: number, heaps: Map<number, Heap>): ChildProcess {
  const preload = new URL('./soak/preload.ts', import.meta.url).href;
  const service = spawn(process.execPath, [join(root, 'scripts/launch.mjs'), 'src/main.ts', 'serve'], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: '', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' },
      // One address asks for all: its limits would answer instead of the service.
      ...{ MCP_RATE_LIMIT: '0', READ_RATE_LIMIT: '0', SUBMIT_RATE_LIMIT: '0', LEGITIMACY_RATE_LIMIT: '0' },
      ...{ SUBMIT_ROWS_PER_DAY: '0', SUBMIT_BYTES_PER_DAY: '0', MAX_STREAMS_PER_ADDRESS: '100' },
      ...{ LOG_LEVEL: 'info', SOAK_SPEED: `${SPEED}`, SOAK_BEGAN: `${began}` },
      NODE_OPTIONS: `--import=${preload}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface({ input: service.stderr }).on('line', (line) => {
    if (!line.startsWith('soak ')) return;
    const heap = JSON.parse(line.slice('soak '.length)) as Heap;
    if (heap.pid !== service.pid) heaps.set(heap.threadId, heap);
  });
  return service;
}

async function soak(
  service: ChildProcess,
  minutes: number,
  now: () => number,
  heaps: Map<number, Heap>,
): Promise<number> {
  const url = await waitForAddress(service);
  await untilReady(url, () => delay(1_000));
  const { pockets } = (await (await fetch(`${url}/api/pockets`)).json()) as {
    pockets: { pocket_id: string }[];
  };
  await delay(MINUTE_MS / 2);
  const idle = takeSample(service, 0);
  say(`idle: ${figures(idle)}${heapText(heaps)}`);
  const counts: LoadCounts = { reads: 0, calls: 0, submissions: 0, streams: 0, failed: 0 };
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
  const load = runLoad({ url, now, pockets: pockets.map(({ pocket_id }) => pocket_id) }, counts, stop.signal);
  load.catch(() => stop.abort());
  const samples: Sample[] = [];
  const from = performance.now();
  for (let minute = 1; minute <= minutes && !stop.signal.aborted; minute++) {
    for (let n = 0; n < MINUTE_MS / SAMPLE_MS && !stop.signal.aborted; n++) {
      await delay(SAMPLE_MS);
      samples.push(takeSample(service, (performance.now() - from) / 1000));
    }
    const last = samples.at(-1) ?? idle;
    const { reads, calls, submissions, streams, failed } = counts;
    say(
      `${minute} min: ${figures(last)}; ${reads} reads, ${calls} calls, ${submissions} submissions, ${streams} streams, ${failed} failed${heapText(heaps)}`,
    );
  }
  stop.abort();
  await load;
  await delay(REST_MS);
  const rest = takeSample(service, (performance.now() - from) / 1000);
  say(`at rest: ${figures(rest)}${heapText(heaps)}`);
  const { memoryRise, descriptorRise, atRest, clean } = judgeSoak(samples, idle, rest);
  const percent = (rise: number | null) =>
    rise === null ? 'too short to tell' : `${(100 * rise).toFixed(1)} %`;
  process.stdout.write(
    `rise of memory ${percent(memoryRise)}, of descriptors ${percent(descriptorRise)}; at rest ${atRest.toFixed(2)} times the idle size; ${counts.failed} failed\n`,
  );
  return clean && !counts.failed ? 0 : 1;
}

function waitForAddress(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: service.stdout as NonNullable<typeof service.stdout> }).on('line', (line) => {
      const [, url] = /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
      if (url) resolve(url);
    });
    service.on('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

/** Of the service and what it started: its launcher is left out. */
function takeSample({ pid = 0 }: ChildProcess, seconds: number): Sample {
  const processes = listDescendants(pid);
  return {
    seconds,
    memory: processes.reduce((sum, id) => sum + readMemory(id), 0),
    descriptors: processes.reduce((sum, id) => sum + readdirSync(`/proc/${id}/fd`).length, 0),
  };
}

const listDescendants = (pid: number): number[] =>
  listChildren(pid).flatMap((child) => [child, ...listDescendants(child)]);

const figures = ({ memory, descriptors }: Sample): string =>
  `${Math.round(memory / MB)} MB, ${descriptors} descriptors`;

const heapText = (heaps: ReadonlyMap<number, Heap>): string =>
  [...heaps.values()]
    .toSorted((a, b) => a.threadId - b.threadId)
    .map(
      ({ threadId, heapUsed, heapTotal, external }) =>
        `; thread ${threadId}: ${[heapUsed, heapTotal, external].map((bytes) => Math.round(bytes / MB)).join('/')} MB`,
    )
    .join('');

const say = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  process.exitCode = await main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
