import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlitePlace } from '../../../../test/support/stores/store-places.ts';
import { openSqlite } from '../sqlite.ts';
import type { Transaction } from '../store.ts';
import { WriteLock } from './write-lock.ts';

const LONGEST = 40;
const HELD_MS = 30;

async function newFile(t: TestContext): Promise<string> {
  const { dataDir, remove } = await sqlitePlace('empty');
  t.after(remove);
  return join(dataDir, 'pocketwatch.sqlite');
}

test('a connection that does transaction after transaction leaves the next turn to one that waits', async (t) => {
  const path = await newFile(t);
  const [busy, other] = [openSqlite(path), openSqlite(path)];
  t.after(() => Promise.all([busy.close(), other.close()]));
  const write = (store: typeof busy, work: (tx: Transaction) => Promise<unknown>) => store.exclusively(work);
  let done = 0;
  let isOver = false;
  const all = (async () => {
    for (; !isOver && done < LONGEST; done++) await write(busy, () => delay(HELD_MS));
  })();
  await delay(HELD_MS / 2);
  for (let n = 0; n < 3; n++) {
    const before = done;
    // The one under way, and what begins before this one has asked.
    await write(other, async () => assert.ok(done - before <= 2, `waited for ${done - before} others`));
  }
  isOver = true;
  await all;
});

test('a begin that fails leaves the turn to others', async (t) => {
  const path = await newFile(t);
  const [lock, other] = [new WriteLock(path), new WriteLock(path)];
  t.after(() => {
    lock.close();
    other.close();
  });
  const fail = () => {
    throw new Error('no room');
  };
  await assert.rejects(lock.begin(fail), /no room/);
  let begun = 0;
  await other.begin(() => {
    begun += 1;
  });
  assert.equal(begun, 1);
});
