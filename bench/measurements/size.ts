// How much room a first history takes, table by table.
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { timeZone } from '../../src/domain/time/zone.ts';
import { backfill } from '../../src/pipeline/backfill/backfill.ts';
import type { Reader } from '../../src/store/engine/store.ts';
import type { Engine } from '../../test/support/stores/store-places.ts';
import { type Bench, newPipeline } from '../harness.ts';

const FROM = timeZone('Asia/Singapore').startOfDay(Date.parse('2026-10-01T00:00:00Z'));
/** As many as a first start writes in the middle of a month. What is kept for two days only is then a small part. */
const days = { complete: 47, quick: 3, smallest: 1 } as const;
const FIRST_START_DAYS = days.complete;

const MB = 1e6;
const MOST_MB_A_POCKET_DAY = 0.25;
const MOST_MB_OF_A_FIRST_START = 210;
/** Tables with a smaller share of every store are counted together. */
const LEAST_SHARE = 0.001;

const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

/** Bytes by table, each with its indexes, and with PostgreSQL with its partitions and what is stored out of line. */
const bytesByTable = {
  sqlite: `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes
    from dbstat s left join sqlite_schema m on m.name = s.name where s.aggregate = 1 group by 1`,
  postgres: `select coalesce(pg_partition_root(c.oid)::oid, c.oid)::regclass::text as name,
      sum(pg_total_relation_size(c.oid)) as bytes
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by 1`,
} as const;

interface Measured {
  engine: Engine;
  days: number;
  pocketDays: number;
  tables: Map<string, number>;
  sum: number;
}

export async function measureSize(bench: Bench): Promise<string[][]> {
  const stores: Measured[] = [];
  for (const engine of bench.engines) stores.push(await measureStore(bench, engine));
  const names = [...new Set(stores.flatMap(({ tables }) => [...tables.keys()]))];
  const largest = (name: string) =>
    Math.max(...stores.map(({ tables, sum }) => (tables.get(name) ?? 0) / sum));
  names.sort((a, b) => largest(b) - largest(a));
  const small = names.filter((name) => largest(name) < LEAST_SHARE);
  const sizeOf = ({ tables }: Measured, list: readonly string[]) =>
    list.reduce((sum, name) => sum + (tables.get(name) ?? 0), 0);
  const row = (what: string, list: readonly string[], target = '') => [
    what,
    ...stores.flatMap((store) => figures(sizeOf(store, list), store)),
    target,
  ];
  return [
    header(stores),
    ...names.filter((name) => !small.includes(name)).map((name) => row(name, [name])),
    ...(small.length ? [row(`${small.length} other tables`, small)] : []),
    row('all tables and indexes', names, targetText(stores)),
  ];
}

async function measureStore(bench: Bench, engine: Engine): Promise<Measured> {
  const { store, registry, ...pipeline } = await newPipeline(bench, engine);
  const count = days[bench.size];
  for (let day = 1; day <= count; day += 1) {
    bench.signal.throwIfAborted();
    const now = FROM + (bench.size === 'smallest' ? HOUR : day * DAY) - SLOT;
    await backfill({ ...pipeline, store, registry }, { from: FROM, now });
    // As its own daemon would, which the servers of tests do without: what was replaced gives its room to what comes.
    if (engine === 'postgres') await store.all('vacuum');
    if (day % 5 === 0) bench.say(`${names[engine]}: ${day} of ${count} days`);
  }
  const tables = await readSizes(store, engine);
  const sum = [...tables.values()].reduce((total, bytes) => total + bytes, 0);
  return { engine, days: count, pocketDays: count * registry.pockets.length, tables, sum };
}

async function readSizes(store: Reader, engine: Engine): Promise<Map<string, number>> {
  const rows = await store.all<{ name: string; bytes: number }>(bytesByTable[engine]);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

const header = (stores: readonly Measured[]): string[] => [
  'table',
  ...stores.flatMap(({ engine, days }) => [
    `${names[engine]}, ${days} ${days === 1 ? 'day' : 'days'}, MB`,
    'KB a pocket-day',
  ]),
  'target',
];

const figures = (bytes: number, { pocketDays }: Measured): string[] => [
  (bytes / MB).toFixed(2),
  (bytes / 1000 / pocketDays).toFixed(2),
];

/** Each store against what a day of a pocket may take, and one of a whole first start against what that may. */
function targetText(stores: readonly Measured[]): string {
  const met = (holds: boolean) => (holds ? 'met' : 'missed');
  return stores
    .flatMap(({ engine, days, sum, pocketDays }) => [
      `≤ ${MOST_MB_A_POCKET_DAY} MB a pocket-day on ${names[engine]}: ${(sum / MB / pocketDays).toFixed(3)}, ${met(sum / MB / pocketDays <= MOST_MB_A_POCKET_DAY)}`,
      ...(engine === 'sqlite' && days === FIRST_START_DAYS
        ? [`≤ ${MOST_MB_OF_A_FIRST_START} MB: ${met(sum / MB <= MOST_MB_OF_A_FIRST_START)}`]
        : []),
    ])
    .join('; ');
}
