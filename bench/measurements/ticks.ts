import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, askInstrument, type Bench, start, startService } from '../harness.ts';
import type { ReadResult, ReadRun } from '../processes/fixed-rate-reader.ts';
import { compare, formatFigure, type Row } from '../results.ts';
import { quantile, runRounds } from '../rounds.ts';

/** Requests a second: a moderate load, far below what the service can carry. */
const RATE = 400;
const DISTINCT_URLS = 20_000;

type State = 'idle' | 'ticking';

/** p99 latency of reads while ticks run without a pause, compared with the same reads while none runs. */
export async function measureTicks(bench: Bench): Promise<Row[]> {
  const rows = await measureEngine(bench, 'sqlite', 'SQLite');
  if (bench.engines.includes('postgres'))
    rows.push(...(await measureEngine(bench, 'postgres', 'PostgreSQL')));
  else rows.push({ what: 'p99 latency of reads, PostgreSQL', skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const service = await startService(bench, engine);
  const reader = start(bench, 'processes/fixed-rate-reader.ts');
  // Hardly a URL is repeated: with or without ticks, answers come from the store and not from a cache.
  const { pockets } = loadRegistry(cityDir('singapore'));
  const urls = Array.from({ length: DISTINCT_URLS }, (_, n) => {
    const hours = (2 + n / DISTINCT_URLS).toFixed(5);
    return `${service.url}/api/atmosphere?pocket=${pockets[n % pockets.length]?.id}&hours=${hours}`;
  });
  const run: ReadRun = { urls, rate: RATE, seconds: bench.quick ? 2 : 5 };
  const rounds = bench.quick ? 2 : 7;
  const loopDelays: Record<State, number[]> = { idle: [], ticking: [] };
  let ticks = 0;

  const readP99 = async (state: State, warmingUp: boolean) => {
    await askInstrument(service, 'watch loop');
    const { latencies, failed } = await ask<ReadResult>(reader, run);
    const loopDelay = await askInstrument(service, 'loop delay');
    if (!warmingUp) loopDelays[state].push(loopDelay);
    if (failed) throw new Error(`${failed} of ${latencies.length + failed} reads failed`);
    return quantile(latencies, 0.99);
  };
  const p99 = await runRounds(bench, rounds, {
    idle: (warmingUp) => readP99('idle', warmingUp),
    ticking: async (warmingUp) => {
      await askInstrument(service, 'start ticks');
      const value = await readP99('ticking', warmingUp);
      ticks += await askInstrument(service, 'stop ticks');
      return value;
    },
  });
  const ticksPerSecond = formatFigure(ticks / ((rounds + 1) * run.seconds));
  return [
    compare(
      `p99 latency of reads, ${name}: ${ticksPerSecond} ticks per second / none`,
      p99.ticking,
      p99.idle,
      {
        unit: ' ms',
        target: { atMost: 2 },
      },
    ),
    compare(`p99 event loop delay, ${name}: with ticks / without`, loopDelays.ticking, loopDelays.idle, {
      unit: ' ms',
    }),
  ];
}
