// The jobs of the half hour and of the morning, run over whatever rows a test has written.

import { SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { isDue, schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { runJob, transact } from '../../../src/pipeline/schedule/transact.ts';

export const periodicJobs = schedule.filter(({ name }) =>
  ['live_story', 'equilibrium', 'legitimacy_index'].includes(name),
);

/** None of these jobs reads a row after its slot, so they can run over a history that is already complete. */
export const runPeriodicJobs = (pipeline: PipelineContext, from: number, until: number): Promise<void> =>
  transact(pipeline, async (tx) => {
    for (let slot = from; slot <= until; slot += SLOT) {
      for (const job of periodicJobs) {
        if (isDue(job, slot, singapore)) await runJob(tx, pipeline, job, { slot, now: slot, signals: [] });
      }
    }
  });
