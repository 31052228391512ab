import { setTimeout as delay } from 'node:timers/promises';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, askInstrument, type Bench, start, startService } from '../harness.ts';
import type { ReadResult, ReadRun } from '../processes/fixed-rate-reader.ts';
import type { StreamResult, StreamRun } from '../processes/stream-clients.ts';
import { compare, type Row } from '../results.ts';
import { quantile, runRounds } from '../rounds.ts';

type State = 'alone' | 'streaming';

const CLIENTS = 1_000;
/** Reads a second. */
const RATE = 200;
/** After streams were opened or closed, which is not what is measured. */
const SETTLING_MS = 1_000;
const DISTINCT_URLS = 20_000;

/** p99 latency of reads while a thousand clients follow the live stream, compared with the same reads alone. */
export async function measureStream(bench: Bench): Promise<Row[]> {
  const rows: Row[] = await measureEngine(bench, 'sqlite', 'SQLite');
  const what = 'p99 latency of reads beside live streams, PostgreSQL';
  if (bench.engines.includes('postgres'))
    rows.push(...(await measureEngine(bench, 'postgres', 'PostgreSQL')));
  else rows.push({ what, skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  // All clients have one address here.
  const service = await startService(bench, engine, 1, {
    MAX_CONNECTIONS_PER_ADDRESS: '4096',
    MAX_STREAMS_PER_ADDRESS: '4096',
  });
  const { url } = service;
  const reader = start(bench, 'processes/fixed-rate-reader.ts');
  const clients = start(bench, 'processes/stream-clients.ts');
  const { pockets } = loadRegistry(cityDir('singapore'));
  // Hardly a URL is repeated, so that answers come from the store and not from a cache.
  const urls = Array.from({ length: DISTINCT_URLS }, (_, n) => {
    const hours = (2 + n / DISTINCT_URLS).toFixed(5);
    return `${url}/api/atmosphere?pocket=${pockets[n % pockets.length]?.id}&hours=${hours}`;
  });
  const run: ReadRun = { urls, rate: RATE, seconds: bench.quick ? 3 : 5 };
  const streams: StreamRun = { url: `${url}/api/stream/live`, clients: CLIENTS };

  const cpuPerRead: Record<State, number[]> = { alone: [], streaming: [] };
  const readP99 = async (state: State, warmingUp: boolean) => {
    await delay(SETTLING_MS, undefined, { signal: bench.signal });
    const before = await askInstrument(service, 'cpu time');
    const { latencies, failed } = await ask<ReadResult>(reader, run);
    const cpu = (await askInstrument(service, 'cpu time')) - before;
    if (!warmingUp) cpuPerRead[state].push(cpu / latencies.length);
    if (failed) throw new Error(`${failed} of ${latencies.length + failed} reads failed`);
    return quantile(latencies, 0.99);
  };
  const p99 = await runRounds(bench, bench.rounds, {
    alone: (warmingUp) => readP99('alone', warmingUp),
    streaming: async (warmingUp) => {
      await ask(clients, streams);
      const value = await readP99('streaming', warmingUp);
      const { lost } = await ask<StreamResult>(clients, 'stop');
      if (lost) throw new Error(`${lost} of ${CLIENTS} streams were lost`);
      return value;
    },
  });
  const beside = `beside ${CLIENTS.toLocaleString('en')} live streams / alone`;
  return [
    compare(`p99 latency of reads, ${name}: ${beside}`, p99.streaming, p99.alone, {
      unit: ' ms',
      target: { atMost: 1.2 },
    }),
    compare(`CPU time per read, ${name}: ${beside}`, cpuPerRead.streaming, cpuPerRead.alone, {
      unit: ' µs',
    }),
  ];
}
