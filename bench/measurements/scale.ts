import { heapFlags } from '../../src/cli/runtime/pipeline-host.ts';
import type { Engine } from '../../test/support/postgres.ts';
import type { CityRun, CityTicks } from '../city-ticker.ts';
import { compare, type Row } from '../rows.ts';
import { ask, type Bench, file, newPlace, start } from '../support.ts';

const MOST_SECONDS = 60;
const MOST_MEGABYTES = 1024;
/** A pocket may cost so much more in a large city than in a small one. */
const LINEAR = 1.5;
const [SMALL, MIDDLING, LARGE] = [100, 1_000, 10_000];

const names: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const counted = (size: number): string => size.toLocaleString('en');

/** A tick of cities of different sizes: what a pocket costs, how long the largest takes, and with how much memory. */
export async function measureScale(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of bench.engines) rows.push(...(await onEngine(bench, engine)));
  if (!bench.engines.includes('postgres'))
    rows.push({ what: 'a tick of a large city, PostgreSQL', skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function onEngine(bench: Bench, engine: Engine): Promise<Row[]> {
  const rows: Row[] = [];
  const small = await ticksOf(bench, engine, SMALL);
  for (const size of bench.quick ? [MIDDLING] : [MIDDLING, LARGE]) {
    const ticks = await ticksOf(bench, engine, size);
    const name = names[engine];
    const what = `a tick's cost a pocket, ${name}: ${counted(size)} pockets / ${counted(SMALL)}`;
    const target = { atMost: LINEAR };
    rows.push(compare(what, [costOf(ticks, size)], [costOf(small, SMALL)], { unit: ' ms', target }));
    if (size < LARGE) continue;
    const longest = Math.max(...ticks.seconds);
    const within = { atMost: 1 };
    rows.push(
      compare(`the longest tick of ${counted(size)} pockets, ${name} / allowed`, [longest], [MOST_SECONDS], {
        unit: ' s',
        target: within,
      }),
      compare(`memory of ${counted(size)} pockets, ${name} / allowed`, [ticks.megabytes], [MOST_MEGABYTES], {
        unit: ' MB',
        target: within,
      }),
    );
  }
  return rows;
}

/** Milliseconds a pocket, over an hour of ticks. */
const costOf = ({ seconds }: CityTicks, size: number): number =>
  (1000 * seconds.reduce((sum, tick) => sum + tick, 0)) / seconds.length / size;

async function ticksOf(bench: Bench, engine: Engine, size: number): Promise<CityTicks> {
  bench.signal.throwIfAborted();
  process.stderr.write(`  ${counted(size)} pockets, ${names[engine]}…\n`);
  const place = await newPlace(bench, engine);
  const child = start(bench, 'city-ticker.ts', [], {
    execArgv: ['--import', file('probe.ts'), ...heapFlags],
  });
  const run: CityRun = { size, place, before: before(size) };
  const ticks = await ask<CityTicks>(child, run);
  child.disconnect();
  return ticks;
}

/**
 * Minutes before the hour at which there was a tick: each quarter hour, so that the code is warm; in a large city those
 * whose forecasts are revealed within the hour, and the one that the hour goes on from.
 */
function before(size: number): number[] {
  if (size >= LARGE) return [180, 120, 60, 15];
  const ticks = size > SMALL ? 12 : 24;
  return Array.from({ length: ticks }, (_, n) => (ticks - n) * 15);
}
