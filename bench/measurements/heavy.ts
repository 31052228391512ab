import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, type Bench, startClient, startService } from '../harness.ts';
import type { ReadRun } from '../processes/fixed-rate-reader.ts';
import type { HeavyResult, HeavyRun } from '../processes/heavy-readers.ts';
import { compare, formatFigure, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';
import { onEachEngine } from './engines.ts';
import { distinctUrls, readP99 } from './reads-at-rate.ts';

/** Light requests a second. */
const RATE = 200;
/** Enough for five hundred silences of a pocket. */
const HISTORY_DAYS = 7;

/** p99 latency of light reads while fifty clients ask for all they can, compared with the same reads alone. */
export const measureHeavy = (bench: Bench): Promise<Row[]> =>
  onEachEngine(bench, 'p99 latency of light reads', (engine, name) => measureEngine(bench, engine, name));

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const service = await startService(bench, engine, HISTORY_DAYS);
  const reader = startClient(bench, 'fixed-rate-reader.ts');
  const heavyReaders = startClient(bench, 'heavy-readers.ts');
  const light: ReadRun = {
    urls: distinctUrls(service, 'atmosphere', 3),
    rate: RATE,
    seconds: { complete: 5, quick: 3, smallest: 0.1 }[bench.size],
  };
  const heavy: HeavyRun = {
    urls: distinctUrls(service, 'counterfactuals', 720, '&limit=500'),
    clients: bench.size === 'smallest' ? 2 : 50,
  };
  // A host that does other things disturbs some of the rounds: their median needs many.
  const rounds = { complete: 15, quick: 2, smallest: 1 }[bench.size];
  let answered = 0;
  let seconds = 0;
  // Starts the thread for heavy answers.
  await fetch(heavy.urls[0] ?? '');

  const read = async () => (await readP99(reader, light)).p99;
  const p99 = await runRounds(bench, rounds, {
    alone: read,
    heavy: async () => {
      await ask(heavyReaders, heavy);
      const value = await read();
      const result = await ask<HeavyResult>(heavyReaders, 'stop');
      if (result.failed) throw new Error(`${result.failed} heavy reads failed`);
      answered += result.answered;
      seconds += light.seconds;
      return value;
    },
  });
  return [
    compare(
      `p99 latency of light reads, ${name}: beside ${formatFigure(answered / seconds)} heavy ones per second / alone`,
      p99.heavy,
      p99.alone,
      { unit: ' ms', target: { atMost: 2 } },
    ),
  ];
}
