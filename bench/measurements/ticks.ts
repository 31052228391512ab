import { loadRegistry, singaporeDir } from '../../src/registry/load.ts';
import type { Engine } from '../../test/support/postgres.ts';
import type { Latencies, Reading } from '../reader.ts';
import { compare, figure, inRounds, quantile, type Row } from '../rows.ts';
import { ask, type Bench, probe, start, startService } from '../support.ts';

/** Reads a second: a moderate load, far from what the service can carry. */
const RATE = 400;
const QUESTIONS = 20_000;

type State = 'idle' | 'ticking';

/** The slowest hundredth of reads while tick follows tick, against the same when none runs. */
export async function measureTicks(bench: Bench): Promise<Row[]> {
  const rows = await onEngine(bench, 'sqlite', 'SQLite');
  if (bench.engines.includes('postgres')) rows.push(...(await onEngine(bench, 'postgres', 'PostgreSQL')));
  else rows.push({ what: 'p99 of reads, PostgreSQL', skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function onEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const service = await startService(bench, engine);
  const reader = start(bench, 'reader.ts');
  // Hardly a question is asked twice: with a tick or without, each is computed from the store.
  const { pockets } = loadRegistry(singaporeDir);
  const urls = Array.from({ length: QUESTIONS }, (_, n) => {
    const hours = (2 + n / QUESTIONS).toFixed(5);
    return `${service.url}/api/atmosphere?pocket=${pockets[n % pockets.length]?.id}&hours=${hours}`;
  });
  const reading: Reading = { urls, rate: RATE, seconds: bench.quick ? 2 : 5 };
  const rounds = bench.quick ? 2 : 7;
  const delays: Record<State, number[]> = { idle: [], ticking: [] };
  let ticks = 0;

  const read = async (state: State, warming: boolean) => {
    await probe(service, 'watch loop');
    const { all, failed } = await ask<Latencies>(reader, reading);
    const delay = await probe(service, 'loop delay');
    if (!warming) delays[state].push(delay);
    if (failed) throw new Error(`${failed} of ${all.length} reads failed`);
    return quantile(all, 0.99);
  };
  const p99 = await inRounds(bench, rounds, {
    idle: (warming) => read('idle', warming),
    ticking: async (warming) => {
      await probe(service, 'start ticking');
      const seen = await read('ticking', warming);
      ticks += await probe(service, 'stop ticking');
      return seen;
    },
  });
  const perSecond = figure(ticks / ((rounds + 1) * reading.seconds));
  return [
    compare(`p99 of reads, ${name}: ${perSecond} ticks a second / none`, p99.ticking, p99.idle, {
      unit: ' ms',
      target: { atMost: 2 },
    }),
    compare(`p99 of the event loop's delay, ${name}: ticking / not`, delays.ticking, delays.idle, {
      unit: ' ms',
    }),
  ];
}
