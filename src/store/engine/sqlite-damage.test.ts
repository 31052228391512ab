import assert from 'node:assert/strict';
import { openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sqlitePlace } from '../../../test/support/stores/store-places.ts';
import { migrate } from '../schema/migrate.ts';
import { openSqlite } from './sqlite.ts';
import { type Engine, StoreError } from './store.ts';

const file = 'pocketwatch.sqlite';
const isUnavailable = (error: unknown) => error instanceof StoreError && error.code === 'unavailable';

async function folder(t: TestContext): Promise<string> {
  const { dataDir, remove } = await sqlitePlace('empty');
  t.after(remove);
  return dataDir;
}

const write = (store: Engine) =>
  store.transaction(async (tx) => {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ slot: n, job: 1, worker: 1 }));
    await tx.insert('job_claims', rows);
  });

test('damage is found by the check: nothing more is written, and what is whole can be read', async (t) => {
  const dataDir = await folder(t);
  const path = join(dataDir, file);
  const whole = openSqlite(path);
  await migrate(whole, 0);
  await write(whole);
  assert.equal(await whole.findDamage?.(), undefined);
  await whole.close();
  // The last pages are of the table that was filled last.
  writeSync(openSync(path, 'r+'), Buffer.alloc(8192, 0x55), 0, 8192, statSync(path).size - 16_384);

  const store = openSqlite(path);
  t.after(() => store.close());
  assert.match((await store.findDamage?.()) ?? '', /damaged|malformed/);
  await assert.rejects(write(store), isUnavailable);
  assert.equal((await store.get<{ n: number }>('select count(*) as n from ledger_size'))?.n, 1);
  assert.ok(store.damage);
});

test('damage that another thread reports stops writing', async (t) => {
  const store = openSqlite(join(await folder(t), file));
  t.after(() => store.close());
  await migrate(store, 0);
  store.reportDamage?.('the file is damaged');
  await assert.rejects(write(store), isUnavailable);
});
