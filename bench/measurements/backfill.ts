import { createPipeline } from '../../src/cli/runtime/pipeline-factory.ts';
import { readConfig } from '../../src/config.ts';
import { DAY, SLOT, startOfDay } from '../../src/domain/time/sgt.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { loadRegistry, singaporeDir } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';
import type { Engine } from '../../test/support/postgres.ts';
import { compare, inRounds, type Row } from '../rows.ts';
import { type Bench, newPlace } from '../support.ts';

const FROM = startOfDay(Date.parse('2026-11-02T00:00:00Z'));
const title = 'backfill: simulated days a second';

/** Against the simulation alone: the same signals, but nothing read, decided, forecast or stored. */
export async function measureBackfill(bench: Bench): Promise<Row[]> {
  const source = simulatedCity(loadRegistry(singaporeDir));
  const rounds = bench.quick ? 1 : 3;
  const subjects: Record<string, () => Promise<number>> = {
    simulating: dayByDay((until) => simulate(source, until)),
  };
  for (const engine of bench.engines) subjects[engine] = dayByDay(await writerOf(bench, engine));
  const rates = await inRounds(bench, rounds, subjects);
  const { simulating = [], sqlite: onSqlite = [], postgres: onPostgres } = rates;
  const beside = `${title}, PostgreSQL / SQLite`;
  return [
    compare(`${title}, SQLite / simulating alone`, onSqlite, simulating),
    onPostgres
      ? compare(beside, onPostgres, onSqlite)
      : { what: beside, skipped: bench.withoutPostgres ?? '' },
  ];
}

/** Each call goes on with the next day. */
function dayByDay(write: (until: number) => Promise<void>): () => Promise<number> {
  let until = FROM - SLOT;
  return async () => {
    until += DAY;
    const began = performance.now();
    await write(until);
    return 1 / ((performance.now() - began) / 1000);
  };
}

async function simulate(source: ReturnType<typeof simulatedCity>, until: number): Promise<void> {
  for (let slot = until - DAY + SLOT; slot <= until; slot += SLOT) await source.observe(slot);
}

/** History as the first start writes it. */
async function writerOf(bench: Bench, engine: Engine): Promise<(until: number) => Promise<void>> {
  const { dataDir, databaseUrl } = await newPlace(bench, engine);
  const works = await createPipeline(readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl }));
  bench.defer(() => works.store.close());
  return (until) => backfill(works, { from: FROM, now: until });
}
