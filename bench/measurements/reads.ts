import { createPipeline } from '../../src/cli/runtime/pipeline-factory.ts';
import { readConfig } from '../../src/config.ts';
import { DAY, HOUR } from '../../src/domain/time/sgt.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { readingsBetween } from '../../src/store/observation/readings.ts';
import type { Engine } from '../../test/support/postgres.ts';
import { compare, figure, inRounds, median, type Row } from '../rows.ts';
import { type Bench, newPlace } from '../support.ts';

const NOW = Date.parse('2026-11-11T04:00:00Z');
const AT_ONCE = 10;
const title = 'latest-reading reads a second';

/** Reads of what get_pocket_atmosphere loads, without HTTP. */
export async function measureReads(bench: Bench): Promise<Row[]> {
  const sqlite = await readerOf(bench, 'sqlite');
  if (!bench.engines.includes('postgres')) {
    const alone = await inRounds(bench, bench.rounds, { sqlite });
    const what = `${title}, PostgreSQL / SQLite (${figure(median(alone.sqlite))})`;
    return [{ what, skipped: bench.withoutPostgres ?? '' }];
  }
  const rates = await inRounds(bench, bench.rounds, { sqlite, postgres: await readerOf(bench, 'postgres') });
  return [compare(`${title}, PostgreSQL / SQLite`, rates.postgres, rates.sqlite)];
}

async function readerOf(bench: Bench, engine: Engine): Promise<() => Promise<number>> {
  const { dataDir, databaseUrl } = await newPlace(bench, engine);
  const works = await createPipeline(readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }));
  bench.defer(() => works.store.close());
  await backfill(works, { from: NOW - DAY / 2, now: NOW });
  const pockets = works.registry.pockets.map(({ id }) => id);
  const span = bench.quick ? 300 : 700;
  return async () => {
    const began = performance.now();
    let reads = 0;
    const readOn = async () => {
      while (performance.now() - began < span) {
        await readingsBetween(works.store, pockets[reads++ % pockets.length] ?? '', NOW - 4 * HOUR, NOW);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, readOn));
    return reads / ((performance.now() - began) / 1000);
  };
}
