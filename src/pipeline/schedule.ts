import { Cron } from 'croner';
import { SLOT, slotOf } from '../domain/sgt.ts';
import { balance } from './balance.ts';
import { scoreBenchmark } from './benchmark.ts';
import { composeIndex } from './compose-index.ts';
import { decideAll } from './decide.ts';
import { expectAll, forecastAll } from './forecast.ts';
import { observe } from './observe.ts';
import { readAtmosphere } from './read.ts';
import { reveal } from './reveal.ts';
import { tellStories } from './tell.ts';
import type { Job } from './tick.ts';
import { vindicate } from './vindicate.ts';

/** Everything that runs on the clock. Within a slot, jobs run in this order. */
export const schedule: readonly Job[] = [
  {
    name: 'atmosphere',
    cron: '*/15 * * * *',
    late: 'skip',
    observes: true,
    run: async (tick) => {
      const read = await readAtmosphere(tick, await observe(tick));
      // The forecaster may learn on a thread of its own while the decisions are taken.
      const expected = await expectAll(tick, read);
      const decided = await decideAll(tick, read);
      await forecastAll(tick, decided, expected);
    },
  },
  { name: 'vindication', cron: '*/15 * * * *', late: 'run', run: vindicate },
  { name: 'reveal', cron: '*/15 * * * *', late: 'run', run: reveal },
  { name: 'benchmark', cron: '*/15 * * * *', late: 'run', run: scoreBenchmark },
  { name: 'live_story', cron: '*/30 * * * *', late: 'skip', run: tellStories },
  { name: 'equilibrium', cron: '*/30 * * * *', late: 'skip', run: balance },
  { name: 'legitimacy_index', cron: '30 8 * * *', late: 'skip', run: composeIndex },
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
