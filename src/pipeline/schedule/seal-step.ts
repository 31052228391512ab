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

/** Locked by the worker that seals ahead: others run further districts meanwhile. */
const AHEAD = 'sealing ahead';

/**
 * Seals what the districts have handed over so far, in their order, up to the first that has not run; unless another worker
 * is at it.
 */
export async function sealAhead(
  pipeline: PipelineContext,
  districts: readonly District[],
  step: Step,
): Promise<void> {
  const { store, ledger } = pipeline;
  const sealNext = async (tx: Transaction): Promise<boolean> => {
    // In this order: a district that runs meanwhile would else look like one that has nothing to seal.
    const ran = await districtsRun(tx, step);
    const waiting = new Set(await districtsHandingOver(tx, step));
    const next = sealingOrder(districts, waiting).find((id) => waiting.has(id) || !ran.has(id));
    if (next === undefined || !waiting.has(next) || !(await tx.tryLock(AHEAD))) return false;
    await sealHandedOver(tx, ledger, step, next);
    return true;
  };
  while ((await districtsHandingOver(store, step)).length) {
    if (!(await store.transaction((tx) => tx.tryLock(AHEAD), 'feeds'))) return;
    if (!(await sealPart(pipeline, step, sealNext))) return;
  }
}

/** A district may have gone since it handed something over. */
const sealingOrder = (districts: readonly District[], waiting: Iterable<string>): string[] =>
  [...new Set([...districts.map(({ id }) => id), ...waiting])].sort();

/**
 * Seals what is left of a step and completes it. Several workers may do it at once: each goes through the districts in their
 * order, and finds sealed what another did.
 */
export async function sealStep(
  pipeline: PipelineContext,
  districts: readonly District[],
  step: Step,
  now: number,
): Promise<void> {
  const { store, ledger } = pipeline;
  const ran = await districtsRun(store, step);
  const waiting = new Set(await districtsHandingOver(store, step));
  for (const district of sealingOrder(districts, waiting)) {
    // It ran, and what it handed over is sealed.
    if (ran.has(district) && !waiting.has(district)) continue;
    const isOpen = await sealPart(pipeline, step, async (tx) => {
      // A worker that is still at it ends first: what it hands over is sealed with the rest, or not at all.
      await lockState(tx, district);
      await sealHandedOver(tx, ledger, step, district);
      return true;
    });
    if (!isOpen) return;
  }
  await sealPart(pipeline, step, async (tx, logSize) => {
    await complete(tx, pipeline, step, now, logSize);
    return true;
  });
}

/** What `work` returns; false if the step was complete before. */
function sealPart(
  pipeline: PipelineContext,
  step: Step,
  work: (tx: Transaction, logSize: number) => Promise<boolean>,
): Promise<boolean> {
  const { state, ledger } = pipeline;
  return transact(pipeline, async (tx) => {
    if (await hasRun(tx, step)) return false;
    await state.load(tx, [SEALING]);
    const known = state.get<Sealing>(SEALING);
    const isSame = known?.job === step.job && known.slot === step.slot;
    const log_size = isSame ? known.log_size : await ledger.nextLeaf(tx);
    if (!isSame) state.set(SEALING, { ...step, log_size });
    return work(tx, log_size);
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
