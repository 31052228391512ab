// A worker of a city in districts on a virtual clock, in a process that the trial kills and stops. It runs the slots in
// turn, together with the other workers, and tries again what fails.
import { setTimeout as delay } from 'node:timers/promises';
import { syntheticCity } from '../../../bench/city/synthetic-city.ts';
import { Districts } from '../../../src/pipeline/core/districts.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { noProcessFigures, readMemory } from '../services/process-figures.ts';
import { freshPipeline } from './fresh-pipeline.ts';

export interface DistrictRun {
  databaseUrl: string;
  pockets: number;
  /** In a district. */
  most?: number;
  slots: number[];
  /** Tells of every transaction that has written and not committed, and waits so long before it commits. */
  holdMs?: number;
  /** After which the server ends a transaction without statements. */
  idleMs?: number;
}

/** Sent when a slot is done. */
export interface SlotDone {
  slot: number;
  /** Of this process, since its start. */
  cpuSeconds: number;
  megabytes: number;
}

const RETRY_MS = 100;

process.on('message', async (run: DistrictRun) => {
  await runSlots(run);
  process.disconnect();
});

async function runSlots({ databaseUrl, pockets, most, slots, holdMs, idleMs = 30_000 }: DistrictRun) {
  const timeouts = { statementMs: 60_000, lockMs: 60_000, idleMs };
  const opened = openStore({ databaseUrl, dataDir: '', timeouts });
  const clock = { now: 0 };
  const pipeline = {
    ...freshPipeline(
      holdMs === undefined ? opened : holding(opened, holdMs),
      syntheticCity(pockets),
      () => clock.now,
    ),
    districts: new Districts(most),
    worker: `worker ${process.pid}`,
  };
  for (const slot of slots) {
    clock.now = slot + 2_000;
    while (!(await succeeds(() => runDue(pipeline, clock.now)))) await delay(RETRY_MS);
    process.send?.(slotDone(slot));
  }
  await opened.close();
}

/** As Linux tells it: the figure of `resourceUsage` starts with that of the parent process. */
const peakMegabytes = (): number =>
  noProcessFigures ? process.resourceUsage().maxRSS / 1024 : readMemory(process.pid, 'VmHWM') / 1024 ** 2;

function slotDone(slot: number): SlotDone {
  const { user, system } = process.cpuUsage();
  return { slot, cpuSeconds: (user + system) / 1e6, megabytes: peakMegabytes() };
}

const succeeds = (run: () => ReturnType<typeof runDue>): Promise<boolean> =>
  run().then(
    (outcomes) => outcomes.every(({ outcome }) => outcome !== 'failed'),
    // The server is down.
    () => false,
  );

const holding = (store: Store, ms: number): Store => ({
  ...store,
  transaction: (work, changes) =>
    store.transaction(async (tx) => {
      const result = await work(tx);
      process.send?.({ written: true });
      await delay(ms);
      return result;
    }, changes),
});
