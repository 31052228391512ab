// The pipeline over a made-up city, in a process of its own with the heap that the service gives it: plays some hours,
// then an hour that is measured, and tells how long each tick of it took and how much memory the process ever had.
import { existsSync, readFileSync } from 'node:fs';
import { MINUTE, SLOT } from '../src/domain/time/sgt.ts';
import { runDue } from '../src/pipeline/core/run.ts';
import { migrate } from '../src/store/engine/migrate.ts';
import { openStore, type StoreSettings } from '../src/store/engine/open.ts';
import { freshWorks } from '../test/support/small-city.ts';
import { rememberMonths } from './long-memory.ts';
import { madeUpCity } from './made-up-city.ts';

export interface CityRun {
  size: number;
  place: StoreSettings;
  /** Minutes before the hour that is measured. */
  before: number[];
}
export interface CityTicks {
  /** One for each quarter of the hour. */
  seconds: number[];
  megabytes: number;
}

/** On the hour most is due: every forecast, story and equilibrium. */
const HOUR = Date.parse('2026-11-11T12:00:00+08:00');

process.on('message', async (run: CityRun | string) => {
  // A word is for the probe.
  if (typeof run === 'object') process.send?.(await play(run));
});

async function play({ size, place, before }: CityRun): Promise<CityTicks> {
  const store = openStore(place);
  await migrate(store, HOUR);
  const registry = madeUpCity(size);
  await rememberMonths(store, registry);
  const works = freshWorks(store, registry);
  const tick = async (now: number): Promise<number> => {
    const began = performance.now();
    const failed = (await runDue(works, now)).find(({ error }) => error);
    if (failed) throw failed.error;
    return (performance.now() - began) / 1000;
  };
  for (const minutes of before) await tick(HOUR - minutes * MINUTE);
  // By itself the server looks once a minute what its tables have grown to.
  if (store.engine === 'postgres') await store.transaction((tx) => tx.script('analyze'));
  const seconds: number[] = [];
  for (const quarter of [0, 1, 2, 3]) seconds.push(await tick(HOUR + quarter * SLOT));
  await store.close();
  return { seconds, megabytes: peak() };
}

/** What others of this machine count for a process starts with what its parent had. */
function peak(): number {
  const status = '/proc/self/status';
  const high = existsSync(status) && /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1];
  return (high ? Number(high) : process.resourceUsage().maxRSS) / 1024;
}
