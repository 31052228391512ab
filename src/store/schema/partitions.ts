// Tables that PostgreSQL keeps by month (migrations/018_partitions.sql), as its catalogue has them. The partitions of a
// table follow one another without a gap: the first has everything older, and what comes after the last one goes into the
// partition for the rest, so that a row is never refused for want of a month.
import type { Reader } from '../engine/store.ts';

export interface Partition {
  name: string;
  /** Slots from this one on; -Infinity of the first partition. */
  from: number;
  /** Slots before this one. */
  until: number;
}

export interface PartitionedTable {
  name: string;
  /** In the order of time. */
  partitions: Partition[];
  /** The name of the partition for the rest. */
  rest: string;
}

const query = `select t.relname as name, p.relname as part, pg_get_expr(p.relpartbound, p.oid) as bounds
  from pg_partitioned_table k join pg_class t on t.oid = k.partrelid
  join pg_inherits i on i.inhparent = t.oid join pg_class p on p.oid = i.inhrelid
  where t.relnamespace = current_schema()::regnamespace order by t.relname`;

/** None in a store of an older schema. */
export async function partitionedTables(store: Reader): Promise<PartitionedTable[]> {
  const rows = await store.all<{ name: string; part: string; bounds: string }>(query);
  return [...Map.groupBy(rows, ({ name }) => name)].map(([name, own]) => {
    const read = own.map(({ part, bounds }) => ({ name: part, ...readBounds(bounds) }));
    return {
      name,
      partitions: read.filter(isBounded).sort((a, b) => a.from - b.from),
      rest: read.find((one) => !isBounded(one))?.name ?? '',
    };
  });
}

const isBounded = (one: { name: string; from?: number }): one is Partition => one.from !== undefined;

/** Such as `FOR VALUES FROM (MINVALUE) TO ('1796083200000')`; `DEFAULT` has none. */
function readBounds(text: string): { from?: number; until?: number } {
  const [, from, until] = /FROM \('?(MINVALUE|-?\d+)'?\) TO \('?(-?\d+)'?\)/.exec(text) ?? [];
  return from === undefined
    ? {}
    : { from: from === 'MINVALUE' ? -Infinity : Number(from), until: Number(until) };
}

/** The first millisecond of the month of a time, or of one as many months later; in UTC, as slots are. */
export function startOfMonth(time: number, later = 0): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** It says with which month a partition begins. */
export const partitionName = (table: string, from: number): string =>
  `${table}_${from === -Infinity ? 'older' : new Date(from).toISOString().slice(0, 7).replace('-', '_')}`;

/** With this month, the months that have a partition before their first row comes. */
const MONTHS_AHEAD = 3;

/** The months that have no partition yet, up to the last that is made ahead. */
export function missingMonths({ name, partitions }: PartitionedTable, now: number): Partition[] {
  const missing: Partition[] = [];
  const end = startOfMonth(now, MONTHS_AHEAD + 1);
  for (let from = partitions.at(-1)?.until ?? startOfMonth(now); from < end; from = startOfMonth(from, 1))
    missing.push({ name: partitionName(name, from), from, until: startOfMonth(from, 1) });
  return missing;
}

/** The partitions that have no slot of `time` or later. */
export const partitionsBefore = ({ partitions }: PartitionedTable, time: number): Partition[] =>
  partitions.filter(({ until }) => until <= time);

/**
 * Where a partition of a single month begins before `time` and ends after it, its beginning: it is let go as a whole,
 * once it is over. Those with more than a month are not waited for.
 */
export const startOfPartition = (tables: readonly PartitionedTable[], time: number): number =>
  Math.min(
    time,
    ...tables
      .flatMap(({ partitions }) => partitions)
      .filter(({ from, until }) => from < time && time < until && until === startOfMonth(from, 1))
      .map(({ from }) => from),
  );
