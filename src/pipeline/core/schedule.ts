import { Cron } from 'croner';
import { SLOT, slotOf } from '../../domain/time/sgt.ts';
import { composeIndex } from '../jobs/compose-index.ts';
import { computeEquilibrium } from '../jobs/compute-equilibrium.ts';
import { computeAllReadiness } from '../jobs/compute-readiness.ts';
import { computeReadings } from '../jobs/compute-readings.ts';
import { decideAll } from '../jobs/decide.ts';
import { draftMomentBriefs } from '../jobs/draft-briefs.ts';
import { reportMonth } from '../jobs/report-month.ts';
import { reportWeek } from '../jobs/report-week.ts';
import { revealForecasts } from '../jobs/reveal-forecasts.ts';
import { rollUpPeriods } from '../jobs/rollup.ts';
import { scoreSubmissions, tallyForecasts } from '../jobs/score-benchmark.ts';
import { expectAll, forecastAll } from '../jobs/seal-forecasts.ts';
import { recordSavings, settleCommitments } from '../jobs/settle-commitments.ts';
import { simulateBriefAnswers } from '../jobs/simulate-brief-answers.ts';
import { vindicateSilences } from '../jobs/vindicate-silences.ts';
import { writeSlotSnapshots } from '../jobs/write-snapshots.ts';
import { writeLiveStories } from '../jobs/write-stories.ts';
import type { Job } from './context.ts';

/** The job after which there may be new commitments. None begins before its slot is over, so it may come first. */
export const BRIEF_ANSWERS = 'brief_answer';

/** Everything that runs on the clock. Within a slot, jobs run in this order. */
export const schedule: readonly Job[] = [
  { name: BRIEF_ANSWERS, cron: '15,45 * * * *', late: 'skip', apart: simulateBriefAnswers },
  {
    name: 'atmosphere',
    cron: '*/15 * * * *',
    late: 'skip',
    observes: true,
    run: async (tick) => {
      const read = await computeReadings(tick, await writeSlotSnapshots(tick));
      const decided = await decideAll(tick, read);
      await computeAllReadiness(tick, decided);
      await forecastAll(tick, decided, await expectAll(tick, read));
    },
  },
  { name: 'vindication', cron: '*/15 * * * *', late: 'run', run: vindicateSilences },
  { name: 'reveal', cron: '*/15 * * * *', late: 'run', run: revealForecasts },
  { name: 'benchmark', cron: '*/15 * * * *', late: 'run', run: tallyForecasts, apart: scoreSubmissions },
  { name: 'live_story', cron: '*/30 * * * *', late: 'skip', apart: writeLiveStories },
  { name: 'moment_brief', cron: '*/30 * * * *', late: 'skip', apart: draftMomentBriefs },
  { name: 'commitment', cron: '*/15 * * * *', late: 'run', apart: settleCommitments },
  { name: 'attention', cron: '0 1 * * *', late: 'run', apart: recordSavings },
  { name: 'equilibrium', cron: '*/30 * * * *', late: 'skip', apart: computeEquilibrium },
  { name: 'legitimacy_index', cron: '30 8 * * *', late: 'skip', run: composeIndex },
  // Each half hour, some three hours later, when the last of its forecasts has been revealed.
  { name: 'rollup', cron: '*/30 * * * *', late: 'skip', apart: rollUpPeriods },
  { name: 'weekly_report', cron: '0 9 * * 1', late: 'run', run: reportWeek },
  // By four every forecast and silence of the last evening has been judged.
  { name: 'monthly_report', cron: '0 4 1 * *', late: 'run', run: reportMonth },
];

/** A job that runs late is caught up with no further back than this. */
const LONGEST_OUTAGE = 92 * 96 * SLOT;

const patterns = new Map<string, Cron>();

export function isDue(job: Pick<Job, 'cron'>, slot: number): boolean {
  let pattern = patterns.get(job.cron);
  if (!pattern) {
    // Singapore keeps one offset the year round, and an offset is matched six times as fast as a named zone.
    pattern = new Cron(job.cron, { utcOffset: 8 * 60, paused: true });
    patterns.set(job.cron, pattern);
  }
  return pattern.match(new Date(slot));
}

/** For each job, the last slot up to `now` that it was due for. */
export function dueBy(now: number): { job: string; slot: number }[] {
  return schedule.map((job) => {
    let slot = slotOf(now);
    while (!isDue(job, slot)) slot -= SLOT;
    return { job: job.name, slot };
  });
}

/** The slots for which the job should run at `now`, oldest first, when it last ran for `last`. */
export function dueSlots(job: Pick<Job, 'cron' | 'late'>, last: number | null, now: number): number[] {
  const current = slotOf(now);
  const earliest = Math.max(last ?? 0, current - LONGEST_OUTAGE);
  const due: number[] = [];
  for (let slot = current; slot > earliest; slot -= SLOT) {
    if (!isDue(job, slot)) continue;
    due.push(slot);
    // A job that never ran has nothing to catch up with.
    if (job.late === 'skip' || last === null) break;
  }
  return due.reverse();
}
