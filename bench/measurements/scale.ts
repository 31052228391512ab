import { heapFlags } from '../../src/cli/runtime/pipeline-host.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, type Bench, instrument, newStore, type Size, start } from '../harness.ts';
import type { CityResult, CityRun } from '../processes/city-ticks.ts';
import { compare, type Row } from '../results.ts';
import { engineNames, onEachEngine } from './engines.ts';

/** A city on one machine has SQLite; with PostgreSQL several workers share it (cluster.ts). */
const MAX_TICK_SECONDS: Record<Engine, number> = { sqlite: 20, postgres: 60 };
const MAX_MEGABYTES = 1024;
/** The cost per pocket in a large city may be this many times that in a small one. */
const MAX_COST_RATIO = 1.5;
/** The first is the reference; the limits are those of the last. */
const cities: Record<Size, [number, ...number[]]> = {
  complete: [100, 1_000, 10_000],
  quick: [100, 1_000],
  smallest: [2, 4],
};

const formatCount = (pockets: number): string => pockets.toLocaleString('en');

/** Ticks of cities of different sizes: the cost per pocket, and duration and memory of the largest. */
export const measureScale = (bench: Bench): Promise<Row[]> =>
  onEachEngine(bench, 'ticks of a large city', (engine, name) => measureEngine(bench, engine, name));

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const rows: Row[] = [];
  const [small, ...larger] = cities[bench.size];
  const reference = await runCity(bench, engine, small);
  for (const pockets of larger) {
    const result = await runCity(bench, engine, pockets);
    const what = `tick cost per pocket, ${name}: ${formatCount(pockets)} pockets / ${formatCount(small)}`;
    const target = { atMost: MAX_COST_RATIO };
    rows.push(
      compare(what, [costPerPocket(result, pockets)], [costPerPocket(reference, small)], {
        unit: ' ms',
        target,
      }),
    );
    if (pockets !== larger.at(-1)) continue;
    const city = `${formatCount(pockets)} pockets, ${name}`;
    const withinLimit = { atMost: 1 };
    rows.push(
      compare(`longest tick of ${city} / limit`, [Math.max(...result.seconds)], [MAX_TICK_SECONDS[engine]], {
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
  bench.say(`  ${formatCount(pockets)} pockets, ${engineNames[engine]}…`);
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
  if (pockets < 100) return [15];
  if (pockets >= 10_000) return [180, 120, 60, 15];
  const ticks = pockets > 100 ? 12 : 24;
  return Array.from({ length: ticks }, (_, n) => (ticks - n) * 15);
}
