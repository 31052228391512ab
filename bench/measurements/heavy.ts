import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { ask, type Bench, start, startService } from '../harness.ts';
import type { ReadResult, ReadRun } from '../processes/fixed-rate-reader.ts';
import type { HeavyResult, HeavyRun } from '../processes/heavy-readers.ts';
import { compare, formatFigure, type Row } from '../results.ts';
import { quantile, runRounds } from '../rounds.ts';

/** Light requests a second. */
const RATE = 200;
const DISTINCT_URLS = 20_000;
/** Enough for five hundred silences of a pocket. */
const HISTORY_DAYS = 7;

/** p99 latency of light reads while fifty clients ask for all they can, compared with the same reads alone. */
export async function measureHeavy(bench: Bench): Promise<Row[]> {
  const rows = await measureEngine(bench, 'sqlite', 'SQLite');
  if (bench.engines.includes('postgres'))
    rows.push(...(await measureEngine(bench, 'postgres', 'PostgreSQL')));
  else rows.push({ what: 'p99 latency of light reads, PostgreSQL', skipped: bench.withoutPostgres ?? '' });
  return rows;
}

async function measureEngine(bench: Bench, engine: Engine, name: string): Promise<Row[]> {
  const { url } = await startService(bench, engine, HISTORY_DAYS);
  const reader = start(bench, 'processes/fixed-rate-reader.ts');
  const heavyReaders = start(bench, 'processes/heavy-readers.ts');
  const { pockets } = loadRegistry(cityDir('singapore'));
  // Hardly a URL is repeated, so that answers come from the store and not from a cache.
  const urlsOf = (path: string, hours: number, query = '') =>
    Array.from({ length: DISTINCT_URLS }, (_, n) => {
      const pocket = pockets[n % pockets.length]?.id;
      return `${url}/api/${path}?pocket=${pocket}&hours=${(hours - n / DISTINCT_URLS).toFixed(5)}${query}`;
    });
  const light: ReadRun = { urls: urlsOf('atmosphere', 3), rate: RATE, seconds: bench.quick ? 3 : 5 };
  const heavy: HeavyRun = { urls: urlsOf('counterfactuals', 720, '&limit=500') };
  // A host that does other things disturbs some of the rounds: their median needs many.
  const rounds = bench.quick ? 2 : 15;
  let answered = 0;
  // Starts the thread for heavy answers.
  await fetch(heavy.urls[0] ?? '');

  const readP99 = async () => {
    const { latencies, failed } = await ask<ReadResult>(reader, light);
    if (failed) throw new Error(`${failed} of ${latencies.length + failed} reads failed`);
    return quantile(latencies, 0.99);
  };
  const p99 = await runRounds(bench, rounds, {
    alone: readP99,
    heavy: async () => {
      await ask(heavyReaders, heavy);
      const value = await readP99();
      const result = await ask<HeavyResult>(heavyReaders, 'stop');
      if (result.failed) throw new Error(`${result.failed} heavy reads failed`);
      answered += result.answered;
      return value;
    },
  });
  const perSecond = formatFigure(answered / ((rounds + 1) * light.seconds));
  return [
    compare(
      `p99 latency of light reads, ${name}: beside ${perSecond} heavy ones per second / alone`,
      p99.heavy,
      p99.alone,
      { unit: ' ms', target: { atMost: 2 } },
    ),
  ];
}
