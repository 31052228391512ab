// The transactions that jobs run in: with the state of whom they run for, and the ledger.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { cityZone } from '../../domain/time/zone.ts';
import type { Reader, Transaction } from '../../store/engine/store.ts';
import { recordStreamRun } from '../../store/report/stream-runs.ts';
import { claim } from '../../store/runtime/job-runs.ts';
import type { Job, JobContext, PipelineContext } from '../core/context.ts';
import type { District } from '../core/districts.ts';
import { type Seal, sealAtOnce } from '../core/sealed-rows.ts';

export type SlotInput = Pick<JobContext, 'slot' | 'now' | 'signals' | 'newest' | 'network_calm'>;

/**
 * A transaction that includes the pipeline's state and the ledger. When it fails, what this process has of them in
 * memory is dropped, since it differs from the store. `virtualClock`: the slots are not run at their own time, so what
 * is sealed says that it was written afterwards. `districts`: those whose state it includes too.
 */
export async function transact<T>(
  { store, state, ledger, forecaster }: PipelineContext,
  work: (tx: Transaction) => Promise<T>,
  { virtualClock = false, districts = [] }: { virtualClock?: boolean; districts?: readonly District[] } = {},
): Promise<T> {
  const all = [{ state, forecaster }, ...districts];
  try {
    return await store.transaction(async (tx) => {
      for (const { state } of all) await state.begin(tx);
      if (virtualClock) ledger.markBackfilled();
      const result = await work(tx);
      await ledger.write(tx);
      for (const { state } of all) await state.write(tx);
      return result;
    });
  } catch (error) {
    for (const { state, forecaster } of all) {
      state.reset();
      forecaster.reset();
    }
    ledger.reset();
    throw error;
  }
}

/** The job with what it computes before its transaction, or before those of its districts. */
export const prepareJob = async (job: Job, store: Reader, slot: number): Promise<Job> => ({
  ...job,
  run: (await job.prepare?.(store, slot)) ?? job.run,
});

/** Claims the slot and runs the job; false when another worker has the claim. */
export async function runJob(
  tx: Transaction,
  pipeline: PipelineContext,
  job: Job,
  at: SlotInput,
): Promise<boolean> {
  if (!(await claim(tx, job.name, at.slot, pipeline.worker, at.now))) return false;
  await recordStreamRun(tx, job.name, at.slot, at.now);
  await runClaimed(tx, pipeline, job, at);
  return true;
}

/** Runs a job whose slot the caller has claimed in `tx`, for the whole city or for a district of it. */
export async function runClaimed(
  tx: Transaction,
  pipeline: PipelineContext,
  job: Job,
  at: SlotInput,
  district: Pick<District, 'registry' | 'state' | 'forecaster'> & { id?: string } = pipeline,
  seal: Seal = sealAtOnce(tx, pipeline.ledger),
): Promise<void> {
  const { substrate, merchants } = pipeline.source;
  const { id = WHOLE_CITY, registry, state, forecaster } = district;
  await job.run({
    ...{ tx, district: id, registry, zone: cityZone(registry.city), state, forecaster },
    ...{ ledger: pipeline.ledger, seal, substrate, merchants },
    ...at,
  });
}
