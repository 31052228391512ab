// Runs the pipeline over a synthetic city with the heap limit of the service: some ticks to warm up, then the four of
// an hour, and reports how long each of these took and the peak memory of the process.
import { MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import { openStore, type StoreSettings } from '../../src/store/engine/open.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { freshPipeline } from '../../test/support/pipeline/fresh-pipeline.ts';
import { noProcessFigures, readMemory } from '../../test/support/services/process-figures.ts';
import { writeLearnedState } from '../city/learned-state.ts';
import { syntheticCity } from '../city/synthetic-city.ts';

export interface CityRun {
  pockets: number;
  store: StoreSettings;
  /** When to run a tick before the measured hour, in minutes before it. */
  warmUpMinutes: number[];
}
export interface CityResult {
  /** Duration of each of the four ticks. */
  seconds: number[];
  megabytes: number;
}

/** On the hour most jobs are due: all forecasts, stories and the equilibrium. */
const MEASURED_HOUR = Date.parse('2026-11-11T12:00:00+08:00');

process.on('message', async (run: CityRun | string) => {
  // Strings are commands of the instrument.
  if (typeof run === 'object') process.send?.(await measure(run));
});

async function measure({ pockets, store: settings, warmUpMinutes }: CityRun): Promise<CityResult> {
  const store = openStore(settings);
  await migrate(store, MEASURED_HOUR);
  const registry = syntheticCity(pockets);
  await writeLearnedState(store, registry);
  const pipeline = freshPipeline(store, registry);
  const tick = async (now: number): Promise<number> => {
    const start = performance.now();
    const failed = (await runDue(pipeline, now)).find(({ error }) => error);
    if (failed) throw failed.error;
    return (performance.now() - start) / 1000;
  };
  for (const minutes of warmUpMinutes) await tick(MEASURED_HOUR - minutes * MINUTE);
  // Autovacuum updates the planner's statistics only once a minute.
  if (store.engine === 'postgres') await store.transaction((tx) => tx.script('analyze'));
  const seconds: number[] = [];
  for (const quarter of [0, 1, 2, 3]) seconds.push(await tick(MEASURED_HOUR + quarter * SLOT));
  await store.close();
  return { seconds, megabytes: peakMegabytes() };
}

/** As Linux tells it: the figure of `resourceUsage` starts with that of the parent process. */
const peakMegabytes = (): number =>
  noProcessFigures ? process.resourceUsage().maxRSS / 1024 : readMemory(process.pid, 'VmHWM') / 1024 ** 2;
