// Runs a job for every district of a large city. Each is a transaction of its own, which any worker may run: they share the
// districts by locks that a worker which dies or hangs does not keep (docs/decisions/088-districts.md).
import { setTimeout as delay } from 'node:timers/promises';
import { SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Store } from '../../store/engine/store.ts';
import { meanCalmAt } from '../../store/observation/readings.ts';
import {
  claimDistrict,
  districtsRun,
  lastWorkers,
  openSteps,
  type Step,
} from '../../store/runtime/districts.ts';
import { hasRun } from '../../store/runtime/job-runs.ts';
import type { Job, JobOutcome, PipelineContext } from '../core/context.ts';
import type { District } from '../core/districts.ts';
import { handOver } from '../core/sealed-rows.ts';
import { type ObserveDistrict, observeByDistrict } from '../core/slot-signals.ts';
import { sealAhead, sealStep } from './seal-step.ts';
import { prepareJob, runClaimed, type SlotInput } from './transact.ts';

/** How often a worker that has nothing left to do looks whether others are done. */
const POLL_MS = 100;
/**
 * A worker has the state of the districts that it ran last in memory, so others leave them to it; until it has had none of
 * them under way for this long: then it is gone.
 */
const TAKE_OVER_MS = 500;

interface Round {
  slot: number;
  now: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a job of a slot for all districts, together with other workers, and seals what they hand over. Undefined when
 * `signal` aborted before all of them had run: then the step stays due.
 */
export async function runDistricts(
  pipeline: PipelineContext,
  districts: readonly District[],
  job: Job,
  { slot, now, signal }: Round,
): Promise<JobOutcome | undefined> {
  const step: Step = { job: job.name, slot };
  try {
    const observe: ObserveDistrict = job.observes
      ? await observeByDistrict(pipeline.source, pipeline.store, slot, districts)
      : async () => [];
    const network_calm = job.observes ? await meanCalmAt(pipeline.store, slot - SLOT) : null;
    const at = { slot, now, newest: slot === slotStart(now), network_calm };
    const prepared = await prepareJob(job, pipeline.store, slot);
    const run = (district: District) => tryDistrict(pipeline, district, prepared, at, observe);
    const { ran, failed } = await shareDistricts(pipeline, districts, step, run, signal);
    const [error] = failed;
    if (error !== undefined) return { ...step, outcome: 'failed', error };
    if (signal?.aborted) return undefined;
    await sealStep(pipeline, districts, step, now);
    return { ...step, outcome: ran ? 'ran' : 'elsewhere' };
  } catch (error) {
    return { ...step, outcome: 'failed', error };
  }
}

/** Runs the districts that no other worker runs, until all have run, have failed here, or `signal` aborts. */
async function shareDistricts(
  pipeline: PipelineContext,
  districts: readonly District[],
  step: Step,
  run: (district: District) => Promise<'ran' | 'elsewhere'>,
  signal: AbortSignal | undefined,
): Promise<{ ran: number; failed: unknown[] }> {
  const { store, worker } = pipeline;
  const failed = new Map<string, unknown>();
  const gone = new Set<string | undefined>([undefined, worker]);
  const owners =
    store.engine === 'sqlite'
      ? new Map<string, string>()
      : await lastWorkers(store, step.job, step.slot - SLOT);
  let ran = 0;
  let idleSince: number | undefined;
  while (!signal?.aborted) {
    const done = await districtsRun(store, step);
    const left = districts.filter(({ id }) => !done.has(id) && !failed.has(id));
    if (!left.length || (await hasRun(store, step))) break;
    let count = 0;
    for (const district of left) {
      if (signal?.aborted) break;
      if (district.ranSlot !== step.slot && !gone.has(owners.get(district.id))) continue;
      try {
        if ((await run(district)) === 'ran') count += 1;
      } catch (error) {
        failed.set(district.id, error);
        continue;
      }
      await sealAhead(pipeline, districts, step);
    }
    ran += count;
    if (count) continue;
    await sealAhead(pipeline, districts, step);
    idleSince = (await isAnyUnderWay(store, left)) ? undefined : (idleSince ?? performance.now());
    if (idleSince !== undefined && performance.now() - idleSince > TAKE_OVER_MS)
      for (const { id } of left) gone.add(owners.get(id));
    await delay(POLL_MS);
  }
  return { ran, failed: [...failed.values()] };
}

/** Whether some worker has one of these districts under way. Each lock is held for a moment only: a worker may want it. */
async function isAnyUnderWay(store: Store, districts: readonly District[]): Promise<boolean> {
  for (const { id } of districts)
    if (!(await store.transaction((tx) => tx.tryLock(lockName(id)), 'feeds'))) return true;
  return false;
}

const lockName = (district: string): string => `district ${district}`;

/**
 * Runs a job for one district, unless another worker has or does. What it writes of its own rows is shown with the next
 * answers; what is to be sealed is handed over.
 */
async function tryDistrict(
  pipeline: PipelineContext,
  district: District,
  job: Job,
  at: Omit<SlotInput, 'signals'>,
  observe: ObserveDistrict,
): Promise<'ran' | 'elsewhere'> {
  const { id, state, forecaster } = district;
  const step = { job: job.name, slot: at.slot };
  try {
    return await pipeline.store.transaction(async (tx) => {
      if (!(await tx.tryLock(lockName(id)))) return 'elsewhere';
      await state.begin(tx);
      if (!(await claimDistrict(tx, step, id, pipeline.worker, at.now))) return 'elsewhere';
      const input = { ...at, signals: await observe(district) };
      await runClaimed(tx, pipeline, job, input, district, handOver(tx, step, id));
      await state.write(tx);
      district.ranSlot = at.slot;
      return 'ran';
    }, 'feeds');
  } catch (error) {
    state.reset();
    forecaster.reset();
    throw error;
  }
}

/**
 * Completes the steps of slots that have passed and that not all districts have run: what is missing is a gap. Steps that
 * are run late are left to their districts.
 */
export async function closePassedSteps(
  pipeline: PipelineContext,
  districts: readonly District[],
  jobs: readonly Job[],
  now: number,
): Promise<JobOutcome[]> {
  const current = slotStart(now);
  const outcomes: JobOutcome[] = [];
  const order = new Map(jobs.map(({ name, late }, at) => [name, late === 'skip' ? at : -1]));
  const open = (await openSteps(pipeline.store, current))
    .filter(({ job }) => (order.get(job) ?? -1) >= 0)
    .sort((a, b) => a.slot - b.slot || (order.get(a.job) ?? 0) - (order.get(b.job) ?? 0));
  for (const step of open)
    try {
      await sealStep(pipeline, districts, step, now);
      outcomes.push({ ...step, outcome: 'ran' });
    } catch (error) {
      return [...outcomes, { ...step, outcome: 'failed', error }];
    }
  return outcomes;
}
