import type { ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';
import { heapFlags } from '../../src/cli/runtime/pipeline-host.ts';
import { MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import type { DistrictRun, SlotDone } from '../../test/support/pipeline/district-worker.ts';
import { writeLearnedState } from '../city/learned-state.ts';
import { syntheticCity } from '../city/synthetic-city.ts';
import { type Bench, instrument, newStore, type Size, start } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { measureCores } from './cores.ts';

/** On the hour most jobs are due, and forecasts of every horizon are revealed. */
const HOUR_MEASURED = Date.parse('2026-11-11T12:00:00+08:00');
const measured = [HOUR_MEASURED, HOUR_MEASURED + SLOT];
/** Those whose forecasts are revealed at the hour, and the quarter hour before it. */
const slots = [-180, -120, -60, -15].map((minutes) => HOUR_MEASURED + minutes * MINUTE).concat(measured);

const cities: Record<Size, { pockets: number; most?: number }> = {
  complete: { pockets: 10_000 },
  quick: { pockets: 1_000 },
  smallest: { pockets: 4, most: 2 },
};

/** Two cores, of which the server takes its share. */
const LEAST_GAIN = 1.5;
const MAX_MEGABYTES = 1024;
/** A third of a quarter hour, for a hundred thousand pockets. */
const MAX_SECONDS_PER_POCKET = 300 / 100_000;

interface ClusterResult {
  /** Of each measured slot, until the last worker was done with it. */
  seconds: number[];
  /** Of all workers together, a slot. */
  cpuSeconds: number;
  /** Of whatever else ran on the machine, a slot: the server. */
  otherSeconds: number;
  megabytes: number;
}

/** How much faster several workers are than one, what they take of the processors, and how much memory. */
export async function measureCluster(bench: Bench): Promise<Row[]> {
  if (!bench.engines.includes('postgres'))
    return [{ what: 'slots by several workers, PostgreSQL', skipped: bench.withoutPostgres }];
  const { pockets } = cityOf(bench);
  const cores = await measureCores(bench);
  const alone = bench.pockets === undefined ? await runCluster(bench, 1) : undefined;
  const together = await runCluster(bench, bench.workers);
  const city = `${pockets.toLocaleString('en')} pockets`;
  const perSlot = together.seconds.length;
  return [
    alone
      ? compare(`a slot of ${city}: one worker / ${bench.workers}`, alone.seconds, together.seconds, {
          unit: ' s',
          target: { atLeast: LEAST_GAIN },
        })
      : compare(
          `the longest slot of ${city} by ${bench.workers} workers / limit`,
          [Math.max(...together.seconds)],
          [MAX_SECONDS_PER_POCKET * pockets],
          { unit: ' s', target: { atMost: 1 } },
        ),
    cores,
    compare(
      `processor time of ${bench.workers} workers a slot of ${city} / time of the slot`,
      [together.cpuSeconds],
      [together.seconds.reduce((sum, seconds) => sum + seconds, 0) / perSlot],
      { unit: ' s' },
    ),
    compare(
      `processor time of the server and of what else ran a slot of ${city} / of ${bench.workers} workers`,
      [together.otherSeconds],
      [together.cpuSeconds],
      { unit: ' s' },
    ),
    compare(`peak memory of a worker, ${city} / limit`, [together.megabytes], [MAX_MEGABYTES], {
      unit: ' MB',
      target: { atMost: 1 },
    }),
  ];
}

const cityOf = ({ size, pockets }: Bench) => (pockets === undefined ? cities[size] : { pockets });

async function runCluster(bench: Bench, workers: number): Promise<ClusterResult> {
  const { pockets, most } = cityOf(bench);
  bench.say(
    `  ${pockets.toLocaleString('en')} pockets, ${workers === 1 ? 'one worker' : `${workers} workers`}…`,
  );
  const settings = await newStore(bench, 'postgres');
  const store = openStore(settings);
  await migrate(store, HOUR_MEASURED);
  await writeLearnedState(store, syntheticCity(pockets));
  // The server of the bench has no autovacuum, which would do it once a minute while tables are small.
  const countStatistics = () => store.transaction((tx) => tx.run('analyze'));
  const counted: Promise<void>[] = [];
  bench.defer(async () => {
    await Promise.allSettled(counted);
    await store.close();
  });
  const run: DistrictRun = {
    databaseUrl: settings.databaseUrl ?? '',
    pockets,
    slots,
    ...(most !== undefined && { most }),
  };
  const children = Array.from({ length: workers }, () =>
    start(bench, '../test/support/pipeline/district-worker.ts', [], {
      execArgv: ['--import', instrument, ...heapFlags],
    }),
  );
  const done = slots.map(() => 0);
  const onSlot = (n: number) => {
    done[n] = (done[n] ?? 0) + 1;
    if (done[n] !== workers) return;
    bench.say(`  slot ${n + 1} of ${slots.length}`);
    const counting = countStatistics();
    // Thrown when the workers have ended.
    counting.catch(() => undefined);
    counted.push(counting);
  };
  const all = await Promise.all(children.map((child) => timesOf(child, run, onSlot)));
  await Promise.all(counted);
  const lastOf = (n: number) =>
    all.flatMap((times) => times[n] ?? []).reduce((one, other) => (other.at > one.at ? other : one));
  const last = slots.map((_, n) => lastOf(n));
  const before = slots.length - measured.length - 1;
  const since = (key: 'at' | 'machineSeconds', from: number, to: number) =>
    (last[to]?.[key] ?? 0) - (last[from]?.[key] ?? 0);
  const cpuOf = (times: readonly Timed[]) =>
    (times.at(-1)?.cpuSeconds ?? 0) - (times[before]?.cpuSeconds ?? 0);
  const cpuSeconds = all.reduce((sum, times) => sum + cpuOf(times), 0) / measured.length;
  return {
    seconds: measured.map((_, n) => since('at', before + n, before + n + 1) / 1000),
    cpuSeconds,
    otherSeconds: since('machineSeconds', before, slots.length - 1) / measured.length - cpuSeconds,
    megabytes: Math.max(...all.flat().map(({ megabytes }) => megabytes)),
  };
}

type Timed = SlotDone & { at: number; machineSeconds: number };

/** What all processes of the machine have taken of its processors. */
const machineSeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;

function timesOf(child: ChildProcess, run: DistrictRun, onSlot: (n: number) => void): Promise<Timed[]> {
  return new Promise((resolve, reject) => {
    const times: Timed[] = [];
    child.on('message', (done: SlotDone) => {
      times.push({ ...done, at: performance.now(), machineSeconds: machineSeconds() });
      onSlot(times.length - 1);
      if (times.length === run.slots.length) resolve(times);
    });
    child.on('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
    child.send(run);
  });
}
