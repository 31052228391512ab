import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR } from '../../../domain/time/slot.ts';
import { StoreError } from '../../../store/engine/store.ts';
import { watchPockets } from './pocket-updates.ts';

/** Readings by slot, and a revision that the test changes. */
function watched(t: Pick<TestContext, 'after'>, newest: number | null) {
  const asked: [number, number][] = [];
  const told: string[][] = [];
  const errors: unknown[] = [];
  let notify = () => {};
  let fail: Error | undefined;
  let delivered = 0;
  let finished = true;
  const context = {
    store: {
      all: async (_sql: string, after: number, until: number) => {
        asked.push([after, until]);
        if (fail) throw fail;
        return [{ pocket_id: `read-${until}` }];
      },
    },
    dataVersion: {
      newestReading: () => newest,
      history: () => ({ finished }),
      subscribe: (listener: () => void) => {
        notify = listener;
        return () => {
          notify = () => {};
        };
      },
    },
  } as unknown as Parameters<typeof watchPockets>[0];
  const updates = watchPockets(
    context,
    () => (delivered += 1),
    (error) => errors.push(error),
  );
  t.after(() => updates.stop());
  return {
    updates,
    asked,
    told,
    errors,
    delivered: () => delivered,
    listen: () => updates.subscribe((pockets) => told.push([...pockets])),
    fail: (error: Error | undefined) => {
      fail = error;
    },
    write: (isFinished: boolean) => {
      finished = isFinished;
    },
    commit: async (slot: number | null) => {
      newest = slot;
      notify();
      await delay(0);
    },
  };
}

test('the pockets of each new slot are told once, and only while somebody listens', async (t) => {
  const { listen, commit, told, asked, delivered } = watched(t, 100);
  await commit(115);
  assert.deepEqual(asked, []);
  const stop = listen();
  await commit(115);
  await commit(130);
  assert.deepEqual([asked, told, delivered()], [[[115, 130]], [['read-130']], 1]);
  stop();
  await commit(145);
  assert.equal(asked.length, 1);
});

test('the first reading of an empty store is news, the older one of a restored store is not', async (t) => {
  const { listen, commit, asked } = watched(t, null);
  listen();
  await commit(100);
  await commit(85);
  await commit(null);
  await commit(100);
  assert.deepEqual(asked, [
    [0, 100],
    [85, 100],
  ]);
});

test('the first history is not news; what is current when it is complete is', async (t) => {
  const { listen, commit, write, asked } = watched(t, null);
  listen();
  write(false);
  await commit(HOUR);
  await commit(9 * HOUR);
  assert.deepEqual(asked, []);
  write(true);
  await commit(9 * HOUR);
  assert.deepEqual(asked, [[8 * HOUR, 9 * HOUR]]);
});

test('what could not be read is read again', async (t) => {
  const { listen, commit, told, errors, fail } = watched(t, 100);
  listen();
  fail(new StoreError('unavailable'));
  await commit(115);
  assert.deepEqual([told, errors], [[], []]);
  fail(undefined);
  await commit(130);
  assert.deepEqual(told, [['read-130']]);
  fail(new Error('a fault'));
  await commit(145);
  assert.equal(errors.length, 1);
});
