import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startBucket } from '../../../test/support/storage/bucket-server.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { TEST_TIME, testLedger } from '../../../test/support/stores/test-ledger.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { bucketStorage } from '../../store/storage/bucket-storage.ts';
import { type Publishing, runPublisher } from './run-publisher.ts';

const limits = { timeout_ms: 20_000, retries: 1, pause_ms: 1 };

describeStores('the publisher', (makePlace) => {
  async function setUp(t: TestContext, honoursConditions = true) {
    const bucket = await startBucket({ honoursConditions });
    t.after(bucket.close);
    const store = await openMigratedStore(t, makePlace);
    const lines: string[] = [];
    const states: Publishing[] = [];
    const pauses: number[] = [];
    let rows = 0;
    const log = testLedger(() => TEST_TIME + rows * SLOT);
    /** The row n is written n quarter hours after the test's time. */
    const append = () =>
      store.transaction(async (tx) => {
        await log.append(tx, 'silence', [{ id: `row-${++rows}`, payload: {} }]);
        await log.write(tx);
      });
    const line = (fields: object, message: string) => {
      const { err } = fields as { err?: Error };
      lines.push([message.split(';')[0], err?.message.replace(/ECONN.*/, 'away')].filter(Boolean).join(': '));
    };
    /** Looks, and looks again after each step. */
    const run = async (steps: readonly (() => unknown)[]) => {
      const stop = new AbortController();
      const { signal } = stop;
      const left = [...steps];
      await runPublisher({
        ...{ store, signal, storage: bucketStorage(bucket.settings(), signal, limits) },
        log: { info: line, error: line },
        report: (state) => states.push(state),
        sleep: async (milliseconds) => {
          pauses.push(milliseconds);
          const next = left.shift();
          if (next) await next();
          else stop.abort();
        },
      });
    };
    return { bucket, append, run, lines, states, pauses };
  }

  test('an outage is two lines however long it is, and the state says since when', async (t) => {
    const { bucket, append, run, lines, states, pauses } = await setUp(t);
    await run([
      append,
      async () => {
        await bucket.goAway();
        await append();
      },
      append,
      ...Array.from({ length: 6 }, () => () => undefined),
      bucket.comeBack,
      () => bucket.asked.splice(0),
    ]);
    assert.deepEqual(lines, [
      'the ledger is not published: GET checkpoint: connect away',
      'the ledger is published again',
    ]);
    const outage = { entries: 1, unpublished_since: TEST_TIME + 2 * SLOT };
    assert.deepEqual(states, [
      { entries: 0, unpublished_since: null },
      { entries: 1, unpublished_since: null },
      ...Array.from({ length: 8 }, () => outage),
      { entries: 3, unpublished_since: null },
      { entries: 3, unpublished_since: null },
    ]);
    assert.deepEqual(bucket.asked, [], 'where nothing is new the storage is not asked');
    assert.ok(
      Math.max(...pauses) <= 75_000 && Math.max(...pauses) > 30_000,
      'looks get rarer up to a minute',
    );
  });

  test('another log in the bucket stops it until it is taken away', async (t) => {
    const { bucket, append, run, lines } = await setUp(t);
    bucket.files.set('checkpoint', Buffer.from('of somebody else'));
    await append();
    await run([append, () => undefined, () => bucket.files.clear()]);
    assert.deepEqual(lines, [
      'the ledger is not published: s3://public-ledger has a checkpoint that is none: publish into an empty place',
      'the ledger is published again',
    ]);
    assert.ok(bucket.files.has('tile/0/000.p/2'));
  });

  test('a bucket that ignores conditions gets nothing', async (t) => {
    const { bucket, append, run, lines } = await setUp(t, false);
    await append();
    await run([append]);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /ignores If-None-Match/);
    assert.deepEqual([...bucket.files.keys()], ['conditions']);
  });
});
