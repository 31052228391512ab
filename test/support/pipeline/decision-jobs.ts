// A simulated history with readings, readiness, decisions and verdicts only: faster than all jobs.

import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Job, PipelineContext } from '../../../src/pipeline/core/context.ts';
import { computeReadings } from '../../../src/pipeline/jobs/compute-readings.ts';
import { decidePockets } from '../../../src/pipeline/jobs/decide.ts';
import { judgeDecisions } from '../../../src/pipeline/jobs/judge-decisions.ts';
import { computeAllReadiness } from '../../../src/pipeline/jobs/merchant/compute-readiness.ts';
import { forecastPockets } from '../../../src/pipeline/jobs/prediction/seal-forecasts.ts';
import { writeSlotSnapshots } from '../../../src/pipeline/jobs/write-snapshots.ts';
import { runJob, transact } from '../../../src/pipeline/schedule/transact.ts';
import type { Transaction } from '../../../src/store/engine/store.ts';

const { startOfDay } = singapore;

/** The atmosphere job without sealing its forecasts, which takes most of its time. */
export const atmosphereJob: Job = {
  name: 'atmosphere',
  cron: '*/15 * * * *',
  late: 'skip',
  run: async (context) => {
    const readings = await computeReadings(context, await writeSlotSnapshots(context));
    const { forecasts } = await forecastPockets(context, readings);
    await computeAllReadiness(context, await decidePockets(context, readings, forecasts));
  },
};

const jobs: readonly Job[] = [
  atmosphereJob,
  { name: 'vindication', cron: '', late: 'run', run: judgeDecisions },
];

export const runDecisionJobs = (pipeline: PipelineContext, from: number, until: number): Promise<void> =>
  runJobs(pipeline, jobs, from, until);

/** Runs the jobs at every slot from `from` to `until`, in one transaction per day. */
export async function runJobs(
  pipeline: PipelineContext,
  jobs: readonly Job[],
  from: number,
  until: number,
): Promise<void> {
  for (let start = from; start <= until; start = startOfDay(start) + DAY) {
    const last = Math.min(startOfDay(start) + DAY - SLOT, until);
    const runDay = async (tx: Transaction) => {
      for (let slot = start; slot <= last; slot += SLOT) {
        const signals = await pipeline.source.observe(slot);
        for (const job of jobs) await runJob(tx, pipeline, job, { slot, now: slot, signals });
      }
    };
    await transact(pipeline, runDay, { virtualClock: true });
  }
}
