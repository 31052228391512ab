import { median } from '../../scripts/quantiles.ts';
import { HOUR } from '../../src/domain/time/slot.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { readingsBetween } from '../../src/store/observation/readings.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { type Bench, newPipeline } from '../harness.ts';
import { compare, formatFigure, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

const NOW = Date.parse('2026-11-11T04:00:00Z');
const CONCURRENCY = 10;
const title = 'latest-reading reads per second';

/** The query behind get_pocket_atmosphere, without HTTP. */
export async function measureReads(bench: Bench): Promise<Row[]> {
  const sqlite = await readsPerSecond(bench, 'sqlite');
  if (!bench.engines.includes('postgres')) {
    const alone = await runRounds(bench, bench.rounds, { sqlite });
    const what = `${title}, PostgreSQL / SQLite (${formatFigure(median(alone.sqlite))})`;
    return [{ what, skipped: bench.withoutPostgres }];
  }
  const postgres = await readsPerSecond(bench, 'postgres');
  const rates = await runRounds(bench, bench.rounds, { sqlite, postgres });
  return [compare(`${title}, PostgreSQL / SQLite`, rates.postgres, rates.sqlite)];
}

async function readsPerSecond(bench: Bench, engine: Engine): Promise<() => Promise<number>> {
  const pipeline = await newPipeline(bench, engine);
  const hours = bench.size === 'smallest' ? 1 : 12;
  await backfill(pipeline, { from: NOW - hours * HOUR, now: NOW });
  const pockets = pipeline.registry.pockets.map(({ id }) => id);
  const durationMs = { complete: 700, quick: 300, smallest: 20 }[bench.size];
  return async () => {
    const start = performance.now();
    let reads = 0;
    const readInLoop = async () => {
      while (performance.now() - start < durationMs) {
        await readingsBetween(pipeline.store, pockets[reads++ % pockets.length] ?? '', NOW - 4 * HOUR, NOW);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, readInLoop));
    return reads / ((performance.now() - start) / 1000);
  };
}
