import { heapFlags } from '../../src/cli/runtime/pipeline-host.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, type Bench, instrument, newStore, start } from '../harness.ts';
import type { CityResult, CityRun } from '../processes/city-ticks.ts';
import { compare, type Row } from '../results.ts';

const MAX_TICK_SECONDS = 60;
const MAX_MEGABYTES = 1024;
/** The cost per pocket in a large city may be this many times that in a small one. */
const MAX_COST_RATIO = 1.5;
const [SMALL, MEDIUM, LARGE] = [100, 1_000, 10_000];

const names: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const formatCount = (pockets: number): string => pockets.toLocaleString('en');

/** Ticks of cities of different sizes: the cost per pocket, and duration and memory of the largest. */
export async function measureScale(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of bench.engines) rows.push(...(await measureEngine(bench, engine)));
  if (!bench.engines.includes('postgres'))
    rows.push({ what: 'ticks of a large city, PostgreSQL', skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function measureEngine(bench: Bench, engine: Engine): Promise<Row[]> {
  const rows: Row[] = [];
  const name = names[engine];
  const small = await runCity(bench, engine, SMALL);
  for (const pockets of bench.quick ? [MEDIUM] : [MEDIUM, LARGE]) {
    const result = await runCity(bench, engine, pockets);
    const what = `tick cost per pocket, ${name}: ${formatCount(pockets)} pockets / ${formatCount(SMALL)}`;
    const target = { atMost: MAX_COST_RATIO };
    rows.push(
      compare(what, [costPerPocket(result, pockets)], [costPerPocket(small, SMALL)], { unit: ' ms', target }),
    );
    if (pockets < LARGE) continue;
    const city = `${formatCount(pockets)} pockets, ${name}`;
    const withinLimit = { atMost: 1 };
    rows.push(
      compare(`longest tick of ${city} / limit`, [Math.max(...result.seconds)], [MAX_TICK_SECONDS], {
        unit: ' s',
        target: withinLimit,
      }),
      compare(`peak memory of ${city} / limit`, [result.megabytes], [MAX_MEGABYTES], {
        unit: ' MB',
        target: withinLimit,
      }),
    );
  }
  return rows;
}

/** In milliseconds, mean over the ticks of an hour. */
const costPerPocket = ({ seconds }: CityResult, pockets: number): number =>
  (1000 * seconds.reduce((sum, tick) => sum + tick, 0)) / seconds.length / pockets;

async function runCity(bench: Bench, engine: Engine, pockets: number): Promise<CityResult> {
  bench.signal.throwIfAborted();
  process.stderr.write(`  ${formatCount(pockets)} pockets, ${names[engine]}…\n`);
  const store = await newStore(bench, engine);
  const child = start(bench, 'processes/city-ticks.ts', [], {
    execArgv: ['--import', instrument, ...heapFlags],
  });
  const run: CityRun = { pockets, store, warmUpMinutes: warmUpMinutes(pockets) };
  const result = await ask<CityResult>(child, run);
  child.disconnect();
  return result;
}

/**
 * Every quarter hour before the measured one, so that the code is warm. In a large city only the ticks that matter: those
 * whose forecasts are revealed within the hour, and the one directly before it.
 */
function warmUpMinutes(pockets: number): number[] {
  if (pockets >= LARGE) return [180, 120, 60, 15];
  const ticks = pockets > SMALL ? 12 : 24;
  return Array.from({ length: ticks }, (_, n) => (ticks - n) * 15);
}
