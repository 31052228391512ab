// Seals what the districts have handed over for a step, a transaction each and in their order, and completes the step. One
// transaction at a time is about the whole city, so that the order is the same whoever does it. Killed anywhere, the next
// worker goes on where it was (docs/decisions/088-districts.md).
import { DAY } from '../../domain/time/slot.ts';
import type { Transaction } from '../../store/engine/store.ts';
import { recordStreamRun } from '../../store/report/stream-runs.ts';
import {
  districtsHandingOver,
  districtsRun,
  removeDistrictRuns,
  type Step,
} from '../../store/runtime/districts.ts';
import { claim, hasRun } from '../../store/runtime/job-runs.ts';
import { lockState } from '../../store/runtime/pipeline-state.ts';
import type { PipelineContext } from '../core/context.ts';
import type { District } from '../core/districts.ts';
import { sealHandedOver } from '../core/sealed-rows.ts';
import { transact } from './transact.ts';

/** The step that is being sealed, and the size of the ledger before it, for the run of the live stream. */
interface Sealing extends Step {
  log_size: number;
}
const SEALING = 'sealing';

/** Which district ran when is told for so long. */
const RUNS_KEPT = 3 * DAY;

/** Held while a worker seals: those that still have districts to run go on instead of waiting for it. */
const SEALS = 'seals';

/** Several workers may do it at once: each goes through the districts in their order, and finds sealed what another did. */
export async function sealStep(
  pipeline: PipelineContext,
  districts: readonly District[],
  step: Step,
  now: number,
): Promise<void> {
  // One that has not run may be at it; one may have gone since it handed something over.
  const all = new Set(await districtsLeft(pipeline, districts, step));
  for (const district of await districtsHandingOver(pipeline.store, step)) all.add(district);
  for (const district of [...all].sort()) if (!(await sealDistrict(pipeline, step, district))) return;
  await sealPart(pipeline, step, (tx, logSize) => complete(tx, pipeline, step, now, logSize));
}

/** Seals, while districts still run a step, those before the first that has not run it; unless another worker does. */
export async function sealAhead(
  pipeline: PipelineContext,
  districts: readonly District[],
  step: Step,
): Promise<void> {
  const [first] = (await districtsLeft(pipeline, districts, step)).sort();
  for (const district of (await districtsHandingOver(pipeline.store, step)).sort()) {
    if (first !== undefined && district > first) return;
    if (!(await areSealsFree(pipeline))) return;
    if (!(await sealDistrict(pipeline, step, district))) return;
  }
}

/** The districts that have not run a step. */
async function districtsLeft(
  { store }: PipelineContext,
  districts: readonly District[],
  step: Step,
): Promise<string[]> {
  const ran = await districtsRun(store, step);
  return districts.map(({ id }) => id).filter((id) => !ran.has(id));
}

/** The lock is held for a moment only. */
const areSealsFree = ({ store }: PipelineContext): Promise<boolean> =>
  store.transaction((tx) => tx.tryLock(SEALS), 'feeds');

/** False if the step was complete before. */
const sealDistrict = (pipeline: PipelineContext, step: Step, district: string): Promise<boolean> =>
  sealPart(pipeline, step, async (tx) => {
    // A worker that is still at it ends first: what it hands over is sealed with the rest, or not at all.
    await lockState(tx, district);
    await sealHandedOver(tx, pipeline.ledger, step, district);
  });

function sealPart(
  pipeline: PipelineContext,
  step: Step,
  work: (tx: Transaction, logSize: number) => Promise<void>,
): Promise<boolean> {
  const { state, ledger } = pipeline;
  return transact(pipeline, async (tx) => {
    if (await hasRun(tx, step)) return false;
    await tx.tryLock(SEALS);
    await state.load(tx, [SEALING]);
    const known = state.get<Sealing>(SEALING);
    const isSame = known?.job === step.job && known.slot === step.slot;
    const log_size = isSame ? known.log_size : await ledger.nextLeaf(tx);
    if (!isSame) state.set(SEALING, { ...step, log_size });
    await work(tx, log_size);
    return true;
  });
}

async function complete(
  tx: Transaction,
  { worker }: PipelineContext,
  { job, slot }: Step,
  now: number,
  logSize: number,
): Promise<void> {
  if (!(await claim(tx, job, slot, worker, now))) return;
  await recordStreamRun(tx, job, slot, now, logSize);
  await removeDistrictRuns(tx, job, slot - RUNS_KEPT);
}
