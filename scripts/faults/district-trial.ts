// Workers that share the districts of a city are killed and stopped, and so is their server. Afterwards the ledger must be
// that of one worker without faults.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { storedLedger } from '../../src/cli/runtime/ledger/stored-ledger.ts';
import { SLOT } from '../../src/domain/time/slot.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { ledgerSize } from '../../src/store/ledger/ledger-reads.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import type { DistrictRun } from '../../test/support/pipeline/district-worker.ts';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { databaseUrl, onServer } from '../../test/support/stores/postgres-admin.ts';
import type { Cluster } from '../../test/support/stores/postgres-cluster.ts';
import { storedEntries } from '../../test/support/stores/stored-entries.ts';
import { seededRandom } from './random.ts';

const START = Date.parse('2026-11-11T11:00:00+08:00');

export interface DistrictTrial {
  pockets: number;
  most: number;
  slots: number;
  workers: number;
  /** SIGKILL of a worker. */
  kills: number;
  /** Immediate stops of the server. */
  stops: number;
  seed: number;
  onKill?: (kills: number) => void;
}

export interface DistrictResult {
  kills: number;
  stops: number;
  entries: number;
  /** What differs from the run of one worker, or is missing; empty if nothing is. */
  faults: string[];
}

/** Of `slots` quarter hours. */
export const trialSlots = (slots: number): number[] =>
  Array.from({ length: slots }, (_, n) => START + n * SLOT);

export const startWorker = (run: DistrictRun): ChildProcess => {
  // Of its own: under a test runner it would count as a test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = fork(new URL('../../test/support/pipeline/district-worker.ts', import.meta.url), {
    execArgv: [],
    env,
  });
  child.send(run);
  return child;
};

export async function districtTrial(cluster: Cluster, trial: DistrictTrial): Promise<DistrictResult> {
  const { pockets, most } = trial;
  const run = { pockets, most, slots: trialSlots(trial.slots) };
  const plain = await newDatabase(cluster, 'plain');
  await finish(startWorker({ ...run, databaseUrl: plain }));
  const faulty = await newDatabase(cluster, 'faulty');
  const done = await runWithFaults(cluster, { ...run, databaseUrl: faulty }, trial);
  return { ...done, ...(await compareLedgers(plain, faulty, run.slots)) };
}

/** Throws unless the worker has run all slots. */
export async function finish(worker: ChildProcess): Promise<void> {
  const [code] = await once(worker, 'exit');
  if (code !== 0) throw new Error(`the worker ended with ${code}`);
}

/** The address of a new database with all tables. */
export async function newDatabase({ url }: Cluster, name: string): Promise<string> {
  await onServer(url, `create database ${name}`);
  const store = openStore({ databaseUrl: databaseUrl(url, name), dataDir: '' });
  await migrate(store, START);
  await store.close();
  return databaseUrl(url, name);
}

/** Runs all slots with several workers; kills a random one again and again, and stops the server in between. */
async function runWithFaults(
  cluster: Cluster,
  run: DistrictRun,
  { workers, kills, stops, seed, onKill }: DistrictTrial,
): Promise<Pick<DistrictResult, 'kills' | 'stops'>> {
  const random = seededRandom(seed);
  const running = new Set<ChildProcess>();
  const add = () => {
    const child = startWorker(run);
    running.add(child);
    child.on('exit', (code) => {
      running.delete(child);
      // A kill ends it without a code.
      if (code !== 0 && !child.killed) add();
    });
  };
  for (let n = 0; n < workers; n += 1) add();
  const count = { kills: 0, stops: 0 };
  while (running.size && count.kills < kills) {
    // From the start of a process to some slots later.
    await delay(400 + random() * 1_600);
    const child = [...running][Math.floor(random() * running.size)];
    if (!child) break;
    child.kill('SIGKILL');
    count.kills += 1;
    onKill?.(count.kills);
    add();
    if (count.stops < stops && count.kills >= ((count.stops + 1) * kills) / (stops + 1)) {
      await cluster.halt('immediate');
      count.stops += 1;
      await cluster.start();
    }
  }
  while (running.size) await once([...running][0] as ChildProcess, 'exit');
  return count;
}

/** The entries of both ledgers, the verifier's verdict, and whether each step has run once. */
export async function compareLedgers(
  plainUrl: string,
  faultyUrl: string,
  slots: readonly number[],
): Promise<Pick<DistrictResult, 'entries' | 'faults'>> {
  const [plain, faulty] = [plainUrl, faultyUrl].map((databaseUrl) => openStore({ databaseUrl, dataDir: '' }));
  if (!plain || !faulty) throw new Error('no store');
  const faults: string[] = [];
  const [expected, found] = [await storedEntries(plain), await storedEntries(faulty)];
  const differing = expected.findIndex((entry, leaf) => entry.payload !== found[leaf]?.payload);
  if (differing >= 0)
    faults.push(
      `leaf ${differing}: ${found[differing]?.payload} in place of ${expected[differing]?.payload}`,
    );
  if (found.length !== expected.length) faults.push(`${found.length} entries in place of ${expected.length}`);
  const size = await ledgerSize(faulty);
  if (size !== found.length)
    faults.push(`the tree has ${size} leaves, and ${found.length} entries are stored`);
  const left = await faulty.get<{ count: number }>('select count(*) as count from handed_over');
  if (left?.count) faults.push(`${left.count} parts were handed over and not sealed`);
  const [runs, districts] = await Promise.all([runsOf(faulty), runsOf(plain)]);
  if (runs !== districts) faults.push(`the districts ran ${runs} in place of ${districts}`);
  const last = slots.at(-1) ?? START;
  const verdict = await verifyLedger({ fetch: storedLedger(faulty, last + SLOT) });
  if (!verdict.ok) faults.push(`verify: ${JSON.stringify(verdict)}`);
  await Promise.all([plain.close(), faulty.close()]);
  return { entries: found.length, faults };
}

/** Which districts ran which steps. */
const runsOf = async (store: Store): Promise<string> =>
  JSON.stringify(
    await store.all(
      'select job, slot, count(*) as districts from district_runs group by job, slot order by job, slot',
    ),
  );
