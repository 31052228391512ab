import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';
import { type Bench, newPipeline } from '../harness.ts';
import { compare, type Row } from '../results.ts';
import { runRounds } from '../rounds.ts';

/** Of the days a second on SQLite: on PostgreSQL every transaction waits for another process. */
const LEAST_OF_SQLITE = 0.6;

const FROM = timeZone('Asia/Singapore').startOfDay(Date.parse('2026-11-02T00:00:00Z'));
const title = 'backfill: simulated days per second';

/** Compared with the simulation alone, which produces the same signals and computes, seals and stores nothing. */
export async function measureBackfill(bench: Bench): Promise<Row[]> {
  const source = simulatedCity(loadRegistry(cityDir('singapore')));
  const rounds = bench.size === 'complete' ? 3 : 1;
  const span = bench.size === 'smallest' ? HOUR : DAY;
  const subjects: Record<string, () => Promise<number>> = {
    simulation: daysPerSecond(span, async (until) => {
      for (let slot = until - span + SLOT; slot <= until; slot += SLOT) await source.observe(slot);
    }),
  };
  for (const engine of bench.engines) {
    const pipeline = await newPipeline(bench, engine);
    subjects[engine] = daysPerSecond(span, (until) => backfill(pipeline, { from: FROM, now: until }));
  }
  const { simulation = [], sqlite = [], postgres } = await runRounds(bench, rounds, subjects);
  const bothEngines = `${title}, PostgreSQL / SQLite`;
  return [
    compare(`${title}, SQLite / simulation alone`, sqlite, simulation),
    postgres
      ? compare(bothEngines, postgres, sqlite, { target: { atLeast: LEAST_OF_SQLITE } })
      : { what: bothEngines, skipped: bench.withoutPostgres },
  ];
}

/** Each call runs the next day, or the next hour. */
function daysPerSecond(span: number, run: (until: number) => Promise<void>): () => Promise<number> {
  let until = FROM - SLOT;
  return async () => {
    until += span;
    const start = performance.now();
    await run(until);
    return (1000 * span) / DAY / (performance.now() - start);
  };
}
