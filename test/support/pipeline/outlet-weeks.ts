// Simulated weeks of two pockets with all that their outlets are offered and answer. Outlets have unmistakable names, so
// that a leaked one is found. Written once in a process: each file of tests has a copy of its own.
import { readFile, writeFile } from 'node:fs/promises';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Job } from '../../../src/pipeline/core/context.ts';
import { observeSlot } from '../../../src/pipeline/core/slot-signals.ts';
import { isDue, schedule } from '../../../src/pipeline/schedule/schedule.ts';
import { runJob, transact } from '../../../src/pipeline/schedule/transact.ts';
import { openStore, sqliteFile } from '../../../src/store/engine/open.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { type StorePlace, sqlitePlace } from '../stores/store-places.ts';
import { atmosphereJob } from './decision-jobs.ts';
import { freshPipeline } from './fresh-pipeline.ts';
import { knowUsual } from './known-usual.ts';
import { smallCity } from './small-city.ts';

const { startOfDay } = singapore;

export const noon = Date.parse('2026-11-11T12:00:00+08:00');
/** More than thirty days, which is the longest window of an answer about outlets. */
export const from = noon - 34 * DAY + SLOT;

const city = smallCity(['holland', 'chipbee']);
export const registry = {
  ...city,
  outlets: city.outlets.map((outlet, n) => ({ ...outlet, name: `Zyzzy ${n}th`, unit: `zq${n}` })),
};

const wanted = ['vindication', 'live_story', 'moment_brief', 'brief_answer', 'commitment', 'attention'];
const jobs: readonly Job[] = [atmosphereJob, ...schedule.filter(({ name }) => wanted.includes(name))];

let written: Promise<Buffer> | undefined;

export async function outletWeeks(): Promise<StorePlace> {
  written ??= writeWeeks();
  const place = await sqlitePlace('empty');
  await writeFile(sqliteFile(place.dataDir), await written);
  return place;
}

async function writeWeeks(): Promise<Buffer> {
  const place = await sqlitePlace();
  const store = openStore(place);
  await migrate(store, 0);
  const pipeline = freshPipeline(store, registry);
  await knowUsual(store, registry);
  for (let day = from; day <= noon; day = startOfDay(day) + DAY) {
    const last = Math.min(startOfDay(day) + DAY - SLOT, noon);
    await transact(pipeline, async (tx) => {
      for (let slot = day; slot <= last; slot += SLOT) {
        const signals = await observeSlot(pipeline.source, tx, slot);
        for (const job of jobs)
          if (isDue(job, slot, singapore)) await runJob(tx, pipeline, job, { slot, now: slot, signals });
      }
    });
  }
  await store.close();
  const file = await readFile(sqliteFile(place.dataDir));
  await place.remove();
  return file;
}
