// The table of jobs, and which slots a job is due for.

import { SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { Job } from '../core/context.ts';
import { compareWithSilence } from '../jobs/compare-with-silence.ts';
import { composeIndex } from '../jobs/compose-index.ts';
import { prepareEquilibrium } from '../jobs/compute-equilibrium.ts';
import { computeReadings } from '../jobs/compute-readings.ts';
import { decidePockets } from '../jobs/decide.ts';
import { judgeDecisions } from '../jobs/judge-decisions.ts';
import { computeAllReadiness } from '../jobs/merchant/compute-readiness.ts';
import { draftMomentBriefs } from '../jobs/merchant/draft-briefs.ts';
import { recordAttentionSaved, settleCommitments } from '../jobs/merchant/settle-commitments.ts';
import { simulateBriefAnswers } from '../jobs/merchant/simulate-brief-answers.ts';
import { revealForecasts } from '../jobs/prediction/reveal-forecasts.ts';
import { scoreSubmissions, writeReference } from '../jobs/prediction/score-benchmark.ts';
import { forecastPockets, sealForecasts } from '../jobs/prediction/seal-forecasts.ts';
import { reportMonth, reportRestraint } from '../jobs/report-month.ts';
import { reportWeek } from '../jobs/report-week.ts';
import { rollUpPeriods } from '../jobs/rollup.ts';
import { writeSlotSnapshots } from '../jobs/write-snapshots.ts';
import { writeLiveStories } from '../jobs/write-stories.ts';
import { isCronSlot } from './cron.ts';

/** Everything that runs on the clock. Within a slot, jobs run in this order. */
export const schedule: readonly Job[] = [
  // May run before the slot is observed: no commitment begins before the slot of its answer is over.
  { name: 'brief_answer', cron: '15,45 * * * *', late: 'skip', run: simulateBriefAnswers },
  {
    name: 'atmosphere',
    cron: '*/15 * * * *',
    late: 'skip',
    observes: true,
    byDistrict: true,
    run: async (context) => {
      const readings = await computeReadings(context, await writeSlotSnapshots(context));
      // The window of a decision follows from the forecasts that are sealed with it.
      const ahead = await forecastPockets(context, readings);
      const decided = await decidePockets(context, readings, ahead.forecasts);
      await computeAllReadiness(context, decided);
      await sealForecasts(context, decided, ahead);
    },
  },
  { name: 'vindication', cron: '*/15 * * * *', late: 'run', byDistrict: true, run: judgeDecisions },
  { name: 'reveal', cron: '*/15 * * * *', late: 'run', byDistrict: true, run: revealForecasts },
  { name: 'benchmark', cron: '*/15 * * * *', late: 'run', run: writeReference },
  { name: 'live_story', cron: '*/30 * * * *', late: 'skip', byDistrict: true, run: writeLiveStories },
  { name: 'moment_brief', cron: '*/30 * * * *', late: 'skip', run: draftMomentBriefs },
  { name: 'commitment', cron: '*/15 * * * *', late: 'run', run: settleCommitments },
  // Once the last decisions of the day before are judged.
  { name: 'attention', cron: '0 3 * * *', late: 'run', run: recordAttentionSaved },
  // Each day's moments, once the hour after the last of them is over.
  {
    name: 'silence_comparison',
    cron: '30 3 * * *',
    late: 'run',
    byDistrict: true,
    run: compareWithSilence,
  },
  {
    name: 'equilibrium',
    cron: '*/30 * * * *',
    late: 'skip',
    byDistrict: true,
    prepare: prepareEquilibrium,
    run: async (context) => (await prepareEquilibrium(context.tx, context.slot))(context),
  },
  { name: 'legitimacy_index', cron: '30 8 * * *', late: 'skip', run: composeIndex },
  // Each half hour, some three hours later, when the last of its forecasts has been revealed.
  { name: 'rollup', cron: '*/30 * * * *', late: 'skip', run: rollUpPeriods },
  { name: 'weekly_report', cron: '0 9 * * 1', late: 'run', byDistrict: true, run: reportWeek },
  // By four every forecast of the last evening is revealed and every silence has its verdict.
  { name: 'monthly_report', cron: '0 4 1 * *', late: 'run', byDistrict: true, run: reportMonth },
  { name: 'restraint_report', cron: '0 4 1 * *', late: 'run', run: reportRestraint },
  // Last, since clients decide how much there is to score: it delays no other job of the slot.
  {
    name: 'submission_score',
    cron: '*/15 * * * *',
    late: 'skip',
    prepare: scoreSubmissions,
    run: async (context) => (await scoreSubmissions(context.tx, context.slot))(context),
  },
];

/** Slots missed longer ago than this are not run late. */
const LONGEST_OUTAGE = 92 * 96 * SLOT;

export const isDue = (job: Pick<Job, 'cron'>, slot: number, zone: Zone): boolean =>
  isCronSlot(job.cron, slot, zone);

/** For each job, the last slot up to `now` that it was due for. */
export function dueBy(now: number, zone: Zone): { job: string; slot: number }[] {
  return schedule.map((job) => {
    let slot = slotStart(now);
    while (!isDue(job, slot, zone)) slot -= SLOT;
    return { job: job.name, slot };
  });
}

/**
 * The slots for which the job should run at `now`, oldest first. `last` is the last slot that it ran for, of those up to
 * `now`: a run in the future, by a worker whose clock was fast, says nothing about the present.
 */
export function dueSlots(
  job: Pick<Job, 'cron' | 'late'>,
  last: number | null,
  now: number,
  zone: Zone,
): number[] {
  const current = slotStart(now);
  const earliest = Math.max(last ?? 0, current - LONGEST_OUTAGE);
  const due: number[] = [];
  for (let slot = current; slot > earliest; slot -= SLOT) {
    if (!isDue(job, slot, zone)) continue;
    due.push(slot);
    // A job that never ran has no missed slots.
    if (job.late === 'skip' || last === null) break;
  }
  return due.reverse();
}
