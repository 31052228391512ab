import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import { openSqliteThread } from './sqlite-thread.ts';
import type { Engine, Store } from './store.ts';

async function house(t: TestContext): Promise<{ engine: Engine; aside: Store }> {
  const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-thread-'));
  const path = join(folder, 'store.sqlite');
  const engine = openSqlite(path);
  await migrate(engine, 0);
  const aside = openSqliteThread(path);
  t.after(async () => {
    await aside.close();
    await engine.close();
    rmSync(folder, { recursive: true });
  });
  return { engine, aside };
}

const run = (job: string, slot: number) => ({ job, slot, worker: 'w — 大', ran_at: slot + 0.5 });
const jobs = 'select job, slot, worker, ran_at from job_runs order by slot';
const revision = 'select revision from store_revision';

test('a question sees all that was handed over before it, and others see it once it is committed', async (t) => {
  const { engine, aside } = await house(t);
  const rows = Array.from({ length: 500 }, (_, slot) => run('a', slot));
  const before = await engine.get<{ revision: number }>(revision);
  await aside.transaction(async (tx) => {
    await tx.insert('job_runs', rows.slice(0, 300));
    await tx.insert('job_runs', rows.slice(300));
    await tx.insert('job_runs', []);
    assert.deepEqual((await tx.all(jobs)).length, 500);
    assert.deepEqual(await tx.get('select max(slot) as slot from job_runs'), { slot: 499 });
    assert.equal(await tx.get('select slot from job_runs where slot = ?', 500), undefined);
    assert.equal(await tx.run('insert into job_runs values (?, ?, ?, ?)', 'b', 1000, 'w', 1), 1);
    assert.deepEqual(await engine.all(jobs), []);
  });
  assert.equal(JSON.stringify(await engine.all(jobs)), JSON.stringify(await aside.all(jobs)));
  const after = await engine.get<{ revision: number }>(revision);
  assert.equal(after?.revision, (before?.revision ?? 0) + 1);
});

test('a row that is refused fails the transaction, which leaves nothing behind', async (t) => {
  const { engine, aside } = await house(t);
  const twice = aside.transaction(async (tx) => {
    await tx.insert('job_runs', [run('a', 1), run('a', 1)]);
  });
  await assert.rejects(twice, /UNIQUE constraint failed/);
  const midway = aside.transaction(async (tx) => {
    await tx.insert('job_runs', [run('a', 1)]);
    await tx.insert('no_such_table', [{ a: 1 }]);
    await tx.all(jobs);
  });
  await assert.rejects(midway, /no such table/);
  const thrown = aside.transaction(async (tx) => {
    await tx.insert('job_runs', [run('a', 1)]);
    throw new Error('enough');
  });
  await assert.rejects(thrown, /enough/);
  assert.deepEqual(await engine.all(jobs), []);
  await aside.transaction(async (tx) => tx.insert('job_runs', [run('a', 1)]));
  assert.deepEqual((await engine.all(jobs)).length, 1);
});

test('transactions take turns', async (t) => {
  const { engine, aside } = await house(t);
  await Promise.all(
    [1, 2, 3].map((slot) => aside.transaction((tx) => tx.insert('job_runs', [run('a', slot)]))),
  );
  assert.equal((await engine.all(jobs)).length, 3);
});

test('a store that cannot be opened says so', async () => {
  const aside = openSqliteThread('/no/such/folder/store.sqlite');
  await assert.rejects(async () => aside.all('select 1'), /unable to open/);
});
