import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makePastMonths, writeSignals } from '../../../test/support/rows/months.ts';
import { dumpTables } from '../../../test/support/stores/dump-tables.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { onServer } from '../../../test/support/stores/postgres-admin.ts';
import { describeStores, type MakePlace } from '../../../test/support/stores/store-places.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Store } from '../engine/store.ts';
import { raiseKeptFrom, signalTables } from '../observation/signal-retention.ts';
import { migrate } from './migrate.ts';
import { dropMonths, makeMonths, mayMakeMonths, oldPartitions } from './months.ts';
import { partitionedTables, partitionName, startOfMonth } from './partitions.ts';

const slotsOf = async (store: Store, table: string): Promise<number[]> =>
  (await store.all<{ slot: number }>(`select slot from ${table} order by slot`)).map(({ slot }) => slot);

/** The names of a table's partitions without that of the table, in the order of time; that for the rest comes last. */
async function namesOf(store: Store, table: string): Promise<string[]> {
  const found = (await partitionedTables(store)).find(({ name }) => name === table) ?? assert.fail(table);
  return [...found.partitions.map(({ name }) => name), found.rest].map((name) =>
    name.slice(table.length + 1),
  );
}

const months = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => partitionName('', startOfMonth(from, n)).slice(1));

const snapshot = (slot: number) => ({
  ...{ slot, pocket_id: 'a', completeness: 1, substrate: 'simulated', provenance: 'a' },
});

async function madeMonthsAgo(t: TestContext, makePlace: MakePlace, count: number) {
  const [store, ...others] = await openStores(t, makePlace, 3);
  assert.ok(store);
  await makePastMonths(store, count);
  return { store, stores: [store, ...others], now: await store.clock() };
}

describeStores('tables by month', (makePlace, engine) => {
  if (engine === 'sqlite') return;

  test('have what there was in one partition, and one for each of the next months', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const now = await store.clock();
    for (const table of signalTables)
      assert.deepEqual(await namesOf(store, table), ['older', ...months(startOfMonth(now, 1), 3), 'default']);
    assert.deepEqual(await makeMonths(store, now), { changed: [], busy: [] });
  });

  test('keep rows, columns, rights, views and triggers when they are converted', async (t) => {
    const place = await makePlace('empty');
    const role = await makeRole(t, place.databaseUrl);
    const [store] = await openStores(t, async () => place, 1, false);
    assert.ok(store);
    const at = schemaFiles.findIndex(({ key }) => key.endsWith('_partitions'));
    await migrate(store, 1, { files: schemaFiles.slice(0, at), batches: [] });
    const now = await store.clock();
    await store.exclusively(async (tx) => {
      await tx.script(`
        grant select, insert on env_snapshots to ${role};
        alter table env_snapshots add column left_out integer;
        alter table env_snapshots drop column left_out;
        alter table env_snapshots add column rain_milli integer check (rain_milli >= 0) default 7;
        create view snapshots_seen as select slot, pocket_id, rain_milli / 1000.0 as rain from env_snapshots;
        create view newest_seen as select max(slot) as slot from snapshots_seen;`);
      await tx.insert(
        'env_snapshots',
        [now - DAY, now - 500 * DAY].map((slot) => snapshot(slot)),
      );
    });
    const before = await dumpTables(store);
    await migrate(store, 2);
    const after = await dumpTables(store);
    for (const table of signalTables) assert.deepEqual(after[table], before[table]);

    await store.exclusively((tx) => tx.insert('env_snapshots', [snapshot(now + 50 * DAY)]));
    assert.equal((await store.get<{ slot: number }>('select slot from newest_seen'))?.slot, now + 50 * DAY);
    const rights = await store.get<object>(
      `select has_table_privilege('${role}', 'env_snapshots', 'select, insert') as may,
         has_table_privilege('${role}', 'env_snapshots', 'update') as may_not`,
    );
    assert.deepEqual({ ...rights }, { may: true, may_not: false });
    await assert.rejects(
      store.exclusively((tx) =>
        tx.run(
          "insert into env_snapshots (slot, pocket_id, completeness, substrate, provenance, rain_milli) values (1, 'b', 1, 'a', 'a', -1)",
        ),
      ),
      /rain_milli_check/,
    );
    const indexes = await store.all<{ name: string }>(
      `select relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'env_snapshots'::regclass order by relname`,
    );
    assert.deepEqual(
      indexes.map(({ name }) => name),
      ['env_snapshots_by_pocket', 'env_snapshots_pkey'],
    );
    // Those of the rows that were there are used as they are: none is built.
    const built = await store.get<{ n: number }>(
      `select count(*) as n from pg_index where indrelid = 'env_snapshots_older'::regclass`,
    );
    assert.equal(built?.n, 2);
  });

  test('refuse what append-only tables refuse, also where a partition is named', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const now = await store.clock();
    await writeSignals(store, [now, startOfMonth(now, 1), startOfMonth(now, 12)]);
    const refusals = (name: string) => [
      `update ${name} set slot = 0`,
      `truncate ${name}`,
      `delete from ${name}`,
    ];
    for (const { name, partitions, rest } of await partitionedTables(store))
      for (const table of [name, rest, partitions[0]?.name ?? '', partitions[1]?.name ?? ''])
        for (const sql of refusals(table))
          await assert.rejects(
            store.transaction((tx) => tx.run(sql)),
            /is append-only/,
            sql,
          );
  });

  test('of a month that nobody made, rows are in the partition for the rest, which becomes one of its own', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    const [store] = stores;
    assert.ok(store);
    const now = await store.clock();
    const late = [startOfMonth(now, 4), startOfMonth(now, 5) + 9 * SLOT];
    await writeSignals(store, [now, startOfMonth(now, 2), ...late]);
    const before = await dumpTables(store);
    assert.deepEqual(await slotsOf(store, 'env_snapshots_default'), late);
    const then = startOfMonth(now, 5) + 10 * DAY;
    const made = await Promise.all(stores.map((one) => makeMonths(one, then)));
    assert.deepEqual(
      made.flatMap(({ changed }) => changed).sort(),
      // The rest begins with the fourth month and ends with the fifth.
      signalTables
        .flatMap((table) =>
          [...months(startOfMonth(now, 4), 1), ...months(startOfMonth(now, 6), 3)].map(
            (name) => `${table}_${name}`,
          ),
        )
        .sort(),
    );
    assert.deepEqual(await dumpTables(store), before);
    assert.deepEqual(await slotsOf(store, 'env_snapshots_default'), []);
    await writeSignals(store, [startOfMonth(now, 6), startOfMonth(now, 20)]);
    assert.deepEqual(await slotsOf(store, 'env_snapshots_default'), [startOfMonth(now, 20)]);
    for (const sql of ['truncate env_snapshots_default', 'delete from env_snapshots'])
      await assert.rejects(
        store.transaction((tx) => tx.run(sql)),
        /is append-only/,
      );
  });

  test('are dropped by the month, once by several processes; what is written late is found', async (t) => {
    const { stores, store, now } = await madeMonthsAgo(t, makePlace, 3);
    const slots = [-4, -3, -2, -1, 0].map((n) => startOfMonth(now, n) + DAY);
    await writeSignals(store, slots);
    const before = startOfMonth(now, -1);
    const foretold = await oldPartitions(store, before);
    assert.deepEqual(
      foretold.map(({ rows }) => rows),
      Array(12).fill(1),
    );
    const dropped = await Promise.all(stores.map((one) => dropMonths(one, before)));
    assert.deepEqual(
      dropped.flatMap(({ changed }) => changed).sort(),
      foretold.map(({ name }) => name).sort(),
    );
    for (const table of signalTables) {
      assert.deepEqual(await slotsOf(store, table), slots.slice(3));
      assert.deepEqual(await namesOf(store, table), ['older', ...months(before, 5), 'default']);
    }
    // Nothing is left of them, and nothing is done twice.
    const tables = await store.all<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and not relispartition and relname like 'env_%'",
    );
    assert.deepEqual(tables, []);
    assert.deepEqual(await dropMonths(store, before), { changed: [], busy: [] });
    await writeSignals(store, [before - DAY]);
    assert.deepEqual(await slotsOf(store, 'env_snapshots_older'), [before - DAY]);
    await store.transaction((tx) => raiseKeptFrom(tx, before));
    await store.transaction((tx) => tx.run('delete from env_snapshots where slot < ?', before));
    assert.deepEqual(await slotsOf(store, 'env_snapshots'), slots.slice(3));
  });

  test('are left alone while somebody reads them for long', async (t) => {
    const { store, stores, now } = await madeMonthsAgo(t, makePlace, 2);
    await writeSignals(store, [startOfMonth(now, -2)]);
    const [, other] = stores;
    assert.ok(other);
    await other.transaction(async (tx) => {
      await tx.all('select * from outlet_activity');
      const { changed, busy } = await dropMonths(store, startOfMonth(now), 1);
      assert.deepEqual([changed.length, busy], [6, ['outlet_activity']]);
    });
    assert.equal((await dropMonths(store, startOfMonth(now), 1)).changed.length, 2);
  });

  test('are made by a role that owns them, and by no other', async (t) => {
    const place = await makePlace('schema');
    const role = await makeRole(t, place.databaseUrl);
    const [store] = await openStores(t, async () => place, 1);
    assert.ok(store);
    assert.equal(await mayMakeMonths(store), true);
    await store.transaction(async (tx) => {
      await tx.run(`set local role ${role}`);
      assert.equal(await mayMakeMonths(tx), false);
      await tx.run('reset role');
    });
  });
});

/** A role without rights; it goes before the place that is removed by a later hook. */
async function makeRole(t: TestContext, server = ''): Promise<string> {
  const role = `reader_${process.pid}`;
  await onServer(server, `create role ${role}`);
  t.after(() => onServer(server, `drop owned by ${role}; drop role ${role}`));
  return role;
}
