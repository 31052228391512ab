import { setTimeout as delay } from 'node:timers/promises';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, askInstrument, type Bench, startClient, startService } from '../harness.ts';
import type { ReadRun } from '../processes/fixed-rate-reader.ts';
import type { StreamResult, StreamRun } from '../processes/stream-clients.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';
import { onEachEngine } from './engines.ts';
import { distinctUrls, readP99 } from './reads-at-rate.ts';

type State = 'alone' | 'streaming';

/** Reads a second. */
const RATE = 200;

/** p99 latency of reads while a thousand clients follow the live stream, compared with the same reads alone. */
export const measureStream = (bench: Bench): Promise<Row[]> =>
  onEachEngine(bench, 'p99 latency of reads beside live streams', (engine, name) =>
    measureEngine(bench, engine, name),
  );

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const service = await startService(bench, engine);
  const reader = startClient(bench, 'fixed-rate-reader.ts');
  const clients = startClient(bench, 'stream-clients.ts');
  const run: ReadRun = {
    urls: distinctUrls(service, 'atmosphere', 3),
    rate: RATE,
    seconds: { complete: 5, quick: 3, smallest: 0.1 }[bench.size],
  };
  const streams: StreamRun = {
    url: `${service.url}/api/stream/live`,
    clients: bench.size === 'smallest' ? 10 : 1_000,
  };
  /** After streams were opened or closed, which is not what is measured. */
  const settlingMs = bench.size === 'smallest' ? 0 : 1_000;

  const cpuPerRead: Record<State, number[]> = { alone: [], streaming: [] };
  const read = async (state: State, warmingUp: boolean) => {
    await delay(settlingMs, undefined, { signal: bench.signal });
    const before = await askInstrument(service, 'cpu time');
    const { p99, reads } = await readP99(reader, run);
    const cpu = (await askInstrument(service, 'cpu time')) - before;
    if (!warmingUp) cpuPerRead[state].push(cpu / reads);
    return p99;
  };
  const p99 = await runRounds(bench, bench.rounds, {
    alone: (warmingUp) => read('alone', warmingUp),
    streaming: async (warmingUp) => {
      await ask(clients, streams);
      const value = await read('streaming', warmingUp);
      const { lost } = await ask<StreamResult>(clients, 'stop');
      if (lost) throw new Error(`${lost} of ${streams.clients} streams were lost`);
      return value;
    },
  });
  const beside = `beside ${streams.clients.toLocaleString('en')} live streams / alone`;
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
