// Makes and drops the partitions of tables that PostgreSQL keeps by month (partitions.ts). Each table is changed in a
// transaction of its own that waits a fraction of a second for its locks, and else is tried again: whoever asks for the
// table meanwhile waits behind it for no longer. Several processes may do it at once.
import { setTimeout as delay } from 'node:timers/promises';
import { type Reader, type Store, StoreError, type Transaction } from '../engine/store.ts';
import {
  missingMonths,
  type Partition,
  type PartitionedTable,
  partitionedTables,
  partitionName,
  partitionsBefore,
  startOfMonth,
} from './partitions.ts';

/** For as long questions about the table may wait, if one under way takes longer. */
const LOCK_MS = 250;
const ATTEMPTS = 40;
const PAUSE_MS = 250;
const LOCK_NOT_AVAILABLE = '55P03';

/** The names of the partitions that were changed; `busy` are tables that others did not leave alone. */
export interface ChangedPartitions {
  changed: string[];
  busy: string[];
}

/** Whether the role may make tables here and attach them to these. */
export const mayMakeMonths = async (store: Reader): Promise<boolean> =>
  (
    await store.get<{ may: boolean }>(
      `select has_schema_privilege(current_schema(), 'create') and bool_and(pg_has_role(t.relowner, 'usage')) as may
       from pg_partitioned_table k join pg_class t on t.oid = k.partrelid
       where t.relnamespace = current_schema()::regnamespace`,
    )
  )?.may === true;

/** Makes the partitions of the coming months where they are missing. */
export const makeMonths = (store: Store, now: number, attempts?: number): Promise<ChangedPartitions> =>
  changeTables(store, (tx, { name }) => makeMonthsOf(tx, name, now), attempts);

/** Drops the partitions that have nothing but slots before `time`. */
export const dropMonths = (store: Store, time: number, attempts?: number): Promise<ChangedPartitions> =>
  changeTables(store, (tx, { name }) => dropMonthsOf(tx, name, time), attempts);

/** The same in a transaction that has the store to itself. */
export async function makeMonthsIn(tx: Transaction): Promise<void> {
  const now = await tx.clock();
  for (const { name } of await partitionedTables(tx)) await makeMonthsOf(tx, name, now);
}

async function changeTables(
  store: Store,
  change: (tx: Transaction, table: PartitionedTable) => Promise<string[]>,
  attempts = ATTEMPTS,
): Promise<ChangedPartitions> {
  const done: ChangedPartitions = { changed: [], busy: [] };
  for (const table of await partitionedTables(store)) {
    const names = await withShortLocks(store, (tx) => change(tx, table), attempts);
    if (names) done.changed.push(...names);
    else done.busy.push(table.name);
  }
  return done;
}

/** Undefined if the locks were not to be had. */
async function withShortLocks<T>(
  store: Store,
  work: (tx: Transaction) => Promise<T>,
  attempts: number,
): Promise<T | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    try {
      return await store.transaction(async (tx) => {
        await tx.run(`set local lock_timeout = ${LOCK_MS}`);
        return work(tx);
      }, 'feeds');
    } catch (error) {
      if (!(error instanceof StoreError) || (error.cause as { code?: string })?.code !== LOCK_NOT_AVAILABLE)
        throw error;
    }
    await delay(PAUSE_MS);
  }
  return undefined;
}

/** As it is once the lock is held: another process may have changed it. */
async function lockTable(tx: Transaction, name: string, mode: string): Promise<PartitionedTable> {
  await tx.run(`lock table ${name} in ${mode} mode`);
  const found = (await partitionedTables(tx)).find((table) => table.name === name);
  if (!found) throw new Error(`${name} has no partitions`);
  return found;
}

/** The names of the partitions that `makeMonths` would make. */
export async function foretellMonths(store: Reader, now: number): Promise<string[]> {
  const names: string[] = [];
  for (const table of await partitionedTables(store)) {
    const { turned, missing } = await plannedMonths(store, table, now);
    names.push(...[...turned, ...missing].map(({ name }) => name));
  }
  return names;
}

/**
 * Where nobody has made months for a while, what is in the partition for the rest becomes one of its own as it is
 * (`turned`), up to the end of the month of its newest row. Rows that were moved one by one could not be read until the
 * last of them was there.
 */
async function plannedMonths(store: Reader, table: PartitionedTable, now: number) {
  const { name, partitions, rest } = table;
  const newest = await store.get<{ slot: number | null }>(`select max(slot) as slot from ${rest}`);
  const from = partitions.at(-1)?.until ?? -Infinity;
  const turned: Partition[] =
    newest?.slot == null
      ? []
      : [{ name: partitionName(name, from), from, until: startOfMonth(newest.slot, 1) }];
  return { turned, missing: missingMonths({ ...table, partitions: [...partitions, ...turned] }, now) };
}

async function makeMonthsOf(tx: Transaction, name: string, now: number): Promise<string[]> {
  // Readers and writers go on, except those of the partition for the rest.
  const table = await lockTable(tx, name, 'share update exclusive');
  const { turned, missing } = await plannedMonths(tx, table, now);
  for (const one of turned)
    await tx.script(`
      alter table ${name} detach partition ${table.rest};
      alter table ${table.rest} rename to ${one.name};
      ${attachPartition(name, one)};
      create table ${table.rest} partition of ${name} default;
      ${refuseChange(table.rest)}`);
  for (const month of missing) await tx.script(createPartition(name, month));
  return [...turned, ...missing].map((one) => one.name);
}

export interface OldPartition {
  table: string;
  name: string;
  rows: number;
}

/** The partitions that `dropMonths` would drop. Counted through the table: another process may drop them meanwhile. */
export async function oldPartitions(store: Reader, time: number): Promise<OldPartition[]> {
  const found: OldPartition[] = [];
  for (const table of await partitionedTables(store))
    for (const { name, from, until } of partitionsBefore(table, time)) {
      const after = from === -Infinity ? '' : `slot >= ${from} and`;
      const count = `select count(*) as n from ${table.name} where ${after} slot < ?`;
      const rows = (await store.get<{ n: number }>(count, until))?.n ?? 0;
      if (rows > 0 || from !== -Infinity) found.push({ table: table.name, name, rows });
    }
  return found;
}

async function dropMonthsOf(tx: Transaction, name: string, time: number): Promise<string[]> {
  const table = await lockTable(tx, name, 'access exclusive');
  const gone = partitionsBefore(table, time);
  const last = gone.at(-1);
  const [oldest] = gone;
  if (!last || !oldest) return [];
  const isEmpty = oldest.from === -Infinity && !(await tx.get(`select 1 from ${oldest.name} limit 1`));
  if (isEmpty && gone.length === 1) return [];
  for (const one of gone) await tx.run(`drop table ${one.name}`);
  // So that no time is left out: what is written late is found, and removed by the next run.
  await tx.script(createPartition(name, { ...oldest, until: last.until }));
  return gone.slice(isEmpty ? 1 : 0).map((one) => one.name);
}

/** Made apart and attached: to create it as a partition would lock the whole table. */
const createPartition = (table: string, partition: Partition): string => `
  create table ${partition.name} (like ${table} including all);
  ${refuseChange(partition.name)};
  ${attachPartition(table, partition)}`;

const attachPartition = (table: string, { name, from, until }: Partition): string =>
  `alter table ${table} attach partition ${name}
   for values from (${from === -Infinity ? 'minvalue' : from}) to (${until})`;

/** Triggers for each row come with the table; those for a statement see only statements that name the table itself. */
const refuseChange = (name: string): string =>
  `create trigger ${name}_no_change before update or truncate on ${name}
   for each statement execute function refuse_change()`;

/**
 * Statistics of each whole table, by which joins are planned: the server's own daemon gathers them for each partition
 * alone. Only where there are none, or `anew`.
 */
export async function gatherStatistics(store: Store, anew: boolean): Promise<void> {
  for (const { name } of await partitionedTables(store)) {
    const known = await store.get(
      'select 1 from pg_stats where schemaname = current_schema() and tablename = ? and inherited limit 1',
      name,
    );
    if (anew || !known) await store.transaction((tx) => tx.run(`analyze ${name}`), 'feeds');
  }
}
