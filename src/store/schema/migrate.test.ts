import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { openStore } from '../engine/open.ts';
import { readableStore } from '../engine/readable-store.ts';
import { readRevision, upgradeFault } from '../engine/revision.ts';
import { schemaFiles, schemaNumber, subject } from '../engine/schema-files.ts';
import type { Transaction } from '../engine/store.ts';
import { migrate, migrationStatus, SchemaError } from './migrate.ts';

const migrationKeys = schemaFiles.map(({ key }) => key);
const added = (key: string) => ({ key, sql: 'select 1', hash: 'x' });

describeStores('schema', (makePlace, engine) => {
  test('migrations are applied once, even when two processes start together', async (t) => {
    const [one, two] = await openStores(t, makePlace, 2, false);
    assert.ok(one && two);
    const before = await migrationStatus(one);
    assert.deepEqual([before.all_applied, before.missing_count], [false, migrationKeys.length]);
    const applied = (await Promise.all([migrate(one, 1), migrate(two, 2)])).flat();
    assert.deepEqual(applied, migrationKeys);
    assert.deepEqual(await migrate(one, 3), []);
    assert.deepEqual(await migrationStatus(two), {
      all_applied: true,
      missing_count: 0,
      checks: migrationKeys.map((key) => ({ key, applied: true })),
    });
  });

  test('a store of another schema is refused with a line that says what to do, and is not changed', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    assert.ok(store);
    const [first] = schemaFiles;
    assert.ok(first);
    const alike = schemaFiles.slice(2, 9);
    const another = {
      files: [{ ...first, sql: 'create table other (id integer)', hash: 'other' }, ...alike],
      batches: [],
    };
    await migrate(store, 1, another);
    await assert.rejects(migrate(store, 2), (error: SchemaError) => {
      assert.ok(error instanceof SchemaError);
      assert.equal(
        error.message,
        `${store.location} has a different schema (${first.key}): ` +
          `no released version made it, so it cannot be upgraded; ${store.startOver}, and start again`,
      );
      return true;
    });
    assert.match(
      store.location,
      engine === 'sqlite' ? /^the store in \// : /^the database \w+ at [\w.]+:\d+$/,
    );
    assert.equal((await migrationStatus(store)).missing_count, schemaFiles.length - alike.length);
    assert.deepEqual(await migrate(store, 3, another), []);
  });

  test('a store without schema hashes is refused', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    const [first] = schemaFiles;
    assert.ok(store && first);
    await store.exclusively(async (tx) => {
      await tx.run('create table schema_migrations (key text primary key, applied_at bigint not null)');
      await tx.insert('schema_migrations', [{ key: first.key, applied_at: 1 }]);
    });
    await assert.rejects(migrate(store, 2), SchemaError);
  });

  test('a store that a newer version upgraded is refused with a line that says what to do', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    const newer = schemaNumber + 2;
    const later = [newer - 1, newer].map((number) => added(`${String(number).padStart(3, '0')}_x`));
    await migrate(store, 1, { files: [...schemaFiles, ...later] });
    await assert.rejects(migrate(store, 2), {
      name: 'SchemaError',
      message:
        `${store.location} was upgraded to schema ${newer} by a newer version, and this one knows schema ${schemaNumber}: ` +
        'start the newer version, or restore a backup made before the upgrade',
    });
  });

  test('a new schema file is applied to a store that has the others', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    assert.ok(store);
    const last = migrationKeys.at(-1) ?? assert.fail();
    await migrate(store, 1, { files: schemaFiles.slice(0, -1), batches: [] });
    assert.deepEqual(await migrate(store, 2), [last]);
    assert.equal((await migrationStatus(store)).all_applied, true);
  });

  test('ten processes that start at once on an older store upgrade it once', async (t) => {
    const stores = await openStores(t, makePlace, 10, false);
    const [store] = stores;
    assert.ok(store);
    await migrate(store, 1, { files: schemaFiles.slice(0, 9), batches: [] });
    const applied = await Promise.all(stores.map((one, n) => migrate(one, n)));
    assert.deepEqual(
      applied.flat(),
      schemaFiles.slice(9).map(({ key }) => key),
    );
    await Promise.all(stores.map((one) => one.transaction(async () => undefined)));
  });

  test('a process of an older version that runs on writes nothing, and reads what it can', async (t) => {
    const place = await makePlace();
    const [store] = await openStores(t, async () => place, 1);
    assert.ok(store);
    const insert = (tx: Transaction) => tx.run("insert into pipeline_state values ('', 'a', '{}')");
    const upgradeTo = (sql: string) =>
      migrate(store, 2, { files: [...schemaFiles, { key: '900_next', sql, hash: sql }] });
    await upgradeTo('create table next (id integer);');
    for (const changes of ['anything', 'log', 'feeds'] as const)
      await assert.rejects(store.transaction(insert, changes), { code: 'upgraded' });
    assert.deepEqual(await store.all('select * from pipeline_state'), []);
    assert.equal(upgradeFault(await readRevision(store)), 'upgraded');
    const newer = openStore({ ...place, schema: 900 });
    t.after(() => newer.close());
    await newer.transaction(insert);
    assert.equal((await store.all('select * from pipeline_state')).length, 1);
  });

  test('a file that older programs cannot read says so in the store', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    const sql = '-- readable from: 900\ncreate table next (id integer);';
    await migrate(store, 1, { files: [...schemaFiles, { key: '900_next', sql, hash: 'x' }] });
    assert.equal(upgradeFault(await readRevision(store)), 'unreadable');
    assert.equal(upgradeFault(await readRevision(store), 900), undefined);
    const refusing = readableStore(store, () => 'unreadable');
    for (const attempt of [
      refusing.all('select 1'),
      refusing.get('select 1'),
      refusing.transaction(async () => 1),
    ])
      await assert.rejects(attempt, { code: 'unreadable' });
    assert.equal((await readableStore(store, () => 'upgraded').all('select 1 as n')).length, 1);
  });
});

test('files have the numbers from 1 on, without a gap, and say what they are about', () => {
  assert.deepEqual(
    migrationKeys.map((key) => Number.parseInt(key, 10)),
    migrationKeys.map((_, n) => n + 1),
  );
  assert.equal(schemaNumber, migrationKeys.length);
  for (const file of schemaFiles) assert.match(subject(file), /^[A-Z][^.]{5,}[^.\s]$/, file.key);
});
