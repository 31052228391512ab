import { createPipeline } from '../../src/cli/runtime/pipeline-factory.ts';
import { readConfig } from '../../src/config.ts';
import { DAY, SLOT } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { type Bench, newStore } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

const FROM = timeZone('Asia/Singapore').startOfDay(Date.parse('2026-11-02T00:00:00Z'));
const title = 'backfill: simulated days per second';

/** Compared with the simulation alone, which produces the same signals and computes, seals and stores nothing. */
export async function measureBackfill(bench: Bench): Promise<Row[]> {
  const source = simulatedCity(loadRegistry(cityDir('singapore')));
  const rounds = bench.quick ? 1 : 3;
  const subjects: Record<string, () => Promise<number>> = {
    simulation: daysPerSecond((until) => simulateDay(source, until)),
  };
  for (const engine of bench.engines) subjects[engine] = daysPerSecond(await backfillOf(bench, engine));
  const rates = await runRounds(bench, rounds, subjects);
  const { simulation = [], sqlite = [], postgres } = rates;
  const bothEngines = `${title}, PostgreSQL / SQLite`;
  return [
    compare(`${title}, SQLite / simulation alone`, sqlite, simulation),
    postgres
      ? compare(bothEngines, postgres, sqlite)
      : { what: bothEngines, skipped: bench.withoutPostgres ?? '' },
  ];
}

/** Each call runs the next day. */
function daysPerSecond(runDay: (until: number) => Promise<void>): () => Promise<number> {
  let until = FROM - SLOT;
  return async () => {
    until += DAY;
    const start = performance.now();
    await runDay(until);
    return 1000 / (performance.now() - start);
  };
}

async function simulateDay(source: ReturnType<typeof simulatedCity>, until: number): Promise<void> {
  for (let slot = until - DAY + SLOT; slot <= until; slot += SLOT) await source.observe(slot);
}

async function backfillOf(bench: Bench, engine: Engine): Promise<(until: number) => Promise<void>> {
  const { dataDir, databaseUrl } = await newStore(bench, engine);
  const pipeline = await createPipeline(readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }));
  bench.defer(() => pipeline.store.close());
  return (until) => backfill(pipeline, { from: FROM, now: until });
}
