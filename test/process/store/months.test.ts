// Tables that PostgreSQL keeps by month: `pocketwatch maintain` with kills, roles without DDL, and backups.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY, SLOT, slotStart } from '../../../src/domain/time/slot.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { signalTables } from '../../../src/store/observation/signal-retention.ts';
import { partitionedTables, partitionName, startOfMonth } from '../../../src/store/schema/partitions.ts';
import { freshPipeline } from '../../support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { makePastMonths, writeSignals } from '../../support/rows/months.ts';
import { run, runHere, serviceEnvironment, start } from '../../support/services/processes.ts';
import { dumpTables } from '../../support/stores/dump-tables.ts';
import { openStores } from '../../support/stores/open-stores.ts';
import { onServer } from '../../support/stores/postgres-admin.ts';
import { describeStores, type MakePlace } from '../../support/stores/store-places.ts';

async function openPlace(t: TestContext, makePlace: MakePlace) {
  const place = await makePlace('schema');
  const [store] = await openStores(t, async () => place, 1);
  assert.ok(store);
  const environment: Record<string, string> = { ...serviceEnvironment(place), KEEP_SIGNALS_DAYS: '190' };
  return { place, store, environment, now: await store.clock() };
}

const maintain = (t: TestContext, environment: Record<string, string>, ...options: string[]) =>
  runHere(t, ['maintain', '--json', ...options], environment);

const slotsOf = async (store: Store, table: string): Promise<number[]> =>
  (await store.all<{ slot: number }>(`select slot from ${table} order by slot`)).map(({ slot }) => slot);

describeStores('months of raw signals', (makePlace, engine) => {
  if (engine === 'sqlite') return;

  test('are dropped as a whole once they are over, also by runs that are killed', async (t) => {
    const { store, environment, now } = await openPlace(t, makePlace);
    await makePastMonths(store, 9);
    const slots = Array.from({ length: 11 }, (_, n) => startOfMonth(now, n - 10) + 5 * DAY).filter(
      (slot) => slot < now,
    );
    await writeSignals(store, [...slots, slotStart(now)]);
    // The month in which the days end is kept until all of it is older.
    const keptFrom = startOfMonth(now - 190 * DAY);
    const gone = slots.filter((slot) => slot < keptFrom);
    const foretold = await maintain(t, environment, '--dry-run');
    const { kept_from, removed, partitions } = JSON.parse(foretold.stdout);
    assert.equal(kept_from, new Date(keptFrom).toISOString());
    assert.deepEqual(Object.values(removed), Array(4).fill(gone.length));
    const names = signalTables.flatMap((table) =>
      gone.map((slot, n) => partitionName(table, n === 0 ? -Infinity : startOfMonth(slot))),
    );
    assert.deepEqual(partitions.dropped.toSorted(), names.toSorted());
    assert.equal((await slotsOf(store, 'env_snapshots')).length, slots.length + 1);

    for (const ms of [300, 600, 900]) {
      const { child, closed } = start(['maintain'], environment);
      await delay(ms);
      child.kill('SIGKILL');
      await closed;
    }
    const done = await Promise.all([1, 2, 3].map(() => run(['maintain'], environment)));
    for (const { status, stderr } of done) assert.equal(status, 0, stderr);
    for (const table of signalTables)
      assert.deepEqual(await slotsOf(store, table), [...slots.slice(gone.length), slotStart(now)]);
    for (const { partitions } of await partitionedTables(store))
      assert.deepEqual([partitions[0]?.until, partitions[1]?.from], [keptFrom, keptFrom]);
    // No table is left that belongs to none.
    const apart = await store.all<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and not relispartition and relname ~ '_(older|default|[0-9]{4}_[0-9]{2})$'`,
    );
    assert.deepEqual(apart, []);
    const said = await runHere(t, ['maintain'], environment);
    assert.match(said.stderr, /^raw signals are kept from \S+ on; rows removed: 0 of env_snapshots.*\n$/);
  });

  test('are written and read by roles that may change no table, with and without a partition', async (t) => {
    const { place, store, environment, now } = await openPlace(t, makePlace);
    const server = place.databaseUrl ?? assert.fail();
    const roles = { worker: `worker_${process.pid}`, answer: `answer_${process.pid}` };
    await onServer(
      server,
      `create role ${roles.worker} login password 'secret';
       create role ${roles.answer} login password 'secret';
       grant select, insert, update, delete on all tables in schema public to ${roles.worker};
       revoke delete on ${signalTables.join(', ')} from ${roles.worker};
       alter default privileges in schema public
         grant select, insert, update, delete on tables to ${roles.worker};
       revoke insert, update, delete on signal_retention from ${roles.worker};
       grant select on all tables in schema public to ${roles.answer};
       revoke create on schema public from public`,
    );
    const addressOf = (role: string): string => {
      const address = new URL(server);
      [address.username, address.password] = [role, 'secret'];
      return address.href;
    };
    try {
      // Nobody has made a month: all rows are in the partition for the rest.
      await store.transaction(async (tx) => {
        for (const { partitions } of await partitionedTables(tx))
          for (const { name } of partitions) await tx.run(`drop table ${name}`);
      });
      const worker = openStore({ ...place, databaseUrl: addressOf(roles.worker) });
      const reader = openStore({ ...place, databaseUrl: addressOf(roles.answer) });
      const writeSlot = async (slot: number) => {
        const pipeline = freshPipeline(worker, smallCity(2), () => slot);
        for (const { outcome, error } of await runDue(pipeline, slot))
          assert.equal(outcome, 'ran', String(error));
        assert.equal(
          (await reader.all('select 1 from env_snapshots where slot = ?', slot)).length,
          2,
          'both pockets',
        );
      };
      const slot = slotStart(now) - SLOT;
      await writeSlot(slot);
      assert.ok((await slotsOf(store, 'env_snapshots_default')).length > 0);
      for (const role of [worker, reader])
        for (const sql of [
          'create table more (id integer)',
          'drop table env_snapshots_default',
          'alter table env_snapshots detach partition env_snapshots_default',
        ])
          await assert.rejects(
            role.exclusively((tx) => tx.run(sql)),
            /permission denied|must be owner/,
          );
      const before = await dumpTables(store);
      const refused = await maintain(t, { ...environment, DATABASE_URL: addressOf(roles.worker) });
      assert.equal(refused.status, 1);
      assert.match(
        refused.stderr,
        /^pocketwatch: .*(permission denied|must be owner).*; check DATABASE_URL and the rights of its role\n$/,
      );
      const owned = await maintain(t, environment);
      assert.equal(JSON.parse(owned.stdout).partitions.made.length, 4 * 4, owned.stderr);
      assert.deepEqual(await dumpTables(store), before);
      await writeSlot(slot + SLOT);
      assert.deepEqual(await slotsOf(store, 'env_snapshots_default'), []);
      await Promise.all([worker.close(), reader.close()]);
    } finally {
      for (const role of Object.values(roles))
        await onServer(server, `drop owned by ${role}; drop role ${role}`);
    }
  });

  test('are in a backup and come back as they were', async (t) => {
    const { store, environment, now } = await openPlace(t, makePlace);
    await makePastMonths(store, 2);
    await writeSignals(store, [startOfMonth(now, -3), startOfMonth(now, -1), startOfMonth(now, 12)]);
    const copy = await makePlace('empty');
    const file = join(copy.dataDir, 'copy');
    const saved = await runHere(t, ['backup', file], environment);
    assert.equal(saved.status, 0, saved.stderr);
    const restored = await runHere(t, ['restore', file], serviceEnvironment(copy));
    assert.equal(restored.status, 0, restored.stderr);
    const [other] = await openStores(t, async () => copy, 1, false);
    assert.ok(other);
    assert.deepEqual(await dumpTables(other), await dumpTables(store));
    assert.deepEqual(await partitionedTables(other), await partitionedTables(store));
    await assert.rejects(
      other.transaction((tx) => tx.run('delete from env_snapshots')),
      /is append-only/,
    );
  });
});
