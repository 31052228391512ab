import type { Engine } from '../../test/support/stores/store-places.ts';
import { askInstrument, type Bench, startClient, startService } from '../harness.ts';
import type { ReadRun } from '../processes/fixed-rate-reader.ts';
import { compare, formatFigure, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';
import { onEachEngine } from './engines.ts';
import { distinctUrls, readP99 } from './reads-at-rate.ts';

/** Requests a second: a moderate load, far below what the service can carry. */
const RATE = 400;

type State = 'idle' | 'ticking';

/** p99 latency of reads while ticks run without a pause, compared with the same reads while none runs. */
export const measureTicks = (bench: Bench): Promise<Row[]> =>
  onEachEngine(bench, 'p99 latency of reads', (engine, name) => measureEngine(bench, engine, name));

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const service = await startService(bench, engine);
  const reader = startClient(bench, 'fixed-rate-reader.ts');
  const run: ReadRun = {
    urls: distinctUrls(service, 'atmosphere', 3),
    rate: RATE,
    seconds: { complete: 5, quick: 2, smallest: 0.1 }[bench.size],
  };
  const rounds = { complete: 7, quick: 2, smallest: 1 }[bench.size];
  const loopDelays: Record<State, number[]> = { idle: [], ticking: [] };
  let ticks = 0;
  let seconds = 0;

  const read = async (state: State, warmingUp: boolean) => {
    await askInstrument(service, 'watch loop');
    const { p99 } = await readP99(reader, run);
    const loopDelay = await askInstrument(service, 'loop delay');
    if (!warmingUp) loopDelays[state].push(loopDelay);
    return p99;
  };
  const p99 = await runRounds(bench, rounds, {
    idle: (warmingUp) => read('idle', warmingUp),
    ticking: async (warmingUp) => {
      await askInstrument(service, 'start ticks');
      const value = await read('ticking', warmingUp);
      ticks += await askInstrument(service, 'stop ticks');
      seconds += run.seconds;
      return value;
    },
  });
  return [
    compare(
      `p99 latency of reads, ${name}: ${formatFigure(ticks / seconds)} ticks per second / none`,
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
