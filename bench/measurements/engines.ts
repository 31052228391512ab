import type { Engine } from '../../test/support/stores/store-places.ts';
import type { Bench } from '../harness.ts';
import type { Row } from '../results.ts';

export const engineNames: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

/** The rows of each engine; where there is no PostgreSQL, a row says so. */
export async function onEachEngine(
  { engines, withoutPostgres }: Bench,
  what: string,
  measure: (engine: Engine, name: string) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of engines) rows.push(...(await measure(engine, engineNames[engine])));
  if (!engines.includes('postgres')) rows.push({ what: `${what}, PostgreSQL`, skipped: withoutPostgres });
  return rows;
}
