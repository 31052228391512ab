import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seededRandom } from '../../../scripts/faults/random.ts';
import { sealSubmission } from '../../../test/support/rows/seal-submission.ts';
import { type Asked, type Fault, startBucket } from '../../../test/support/storage/bucket-server.ts';
import { openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { editPayload } from '../../../test/support/stores/stored-entries.ts';
import { dropGuards } from '../../../test/support/stores/tamper-ledger.ts';
import { testKey, testSigner } from '../../../test/support/stores/test-key.ts';
import { TEST_TIME, testLedger } from '../../../test/support/stores/test-ledger.ts';
import { HOUR } from '../../domain/time/slot.ts';
import { readNote, signCheckpoint } from '../../ledger/checkpoint.ts';
import { createSigner, privateKeyFromSeed } from '../../ledger/key.ts';
import { addedTiles, tilePath } from '../../ledger/tile-path.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Engine } from '../../store/engine/store.ts';
import { currentKey } from '../../store/ledger/ledger-keys.ts';
import type { LedgerLog } from '../../store/ledger/ledger-log.ts';
import { latestCheckpoint, publishedTile } from '../../store/ledger/ledger-reads.ts';
import { rotateKey } from '../../store/ledger/rotate-key.ts';
import { bucketStorage } from '../../store/storage/bucket-storage.ts';
import { publishLedger } from './publish-ledger.ts';

const limits = { timeout_ms: 20_000, retries: 2, pause_ms: 1 };
const isWrite = ({ method }: Asked): boolean => method === 'PUT';

async function append(store: Engine, log: LedgerLog, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => ({ id: `row-${from + i}`, payload: { n: from + i } }));
  await store.transaction(async (tx) => {
    await log.append(tx, 'silence', rows);
    await log.write(tx);
  });
}

async function appendAll(store: Engine, sizes: readonly number[], log = testLedger()): Promise<void> {
  let size = (await latestCheckpoint(store))?.size ?? 0;
  for (const count of sizes) {
    await append(store, log, size, count);
    size += count;
  }
}

async function makeBucket(t: TestContext) {
  const bucket = await startBucket();
  t.after(bucket.close);
  const publisher = (store: Engine, signal = new AbortController().signal) => ({
    ...{ store, signal, storage: bucketStorage(bucket.settings(), signal, limits) },
  });
  const size = () => {
    const note = bucket.files.get('checkpoint');
    return note ? readNote(`${note}`).size : 0;
  };
  return { ...bucket, publisher, size };
}

/** Every tile and bundle that the published checkpoint covers is there, as the service serves it. */
async function assertComplete(store: Engine, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const note = `${files.get('checkpoint')}`;
  assert.equal(note, (await latestCheckpoint(store))?.note);
  assert.equal(`${files.get('key')}`, `${(await currentKey(store))?.verifier_key}\n`);
  const read = publishedTile(store);
  for (const tile of addedTiles(0, readNote(note).size)) {
    const bytes = await read(tile);
    assert.ok(bytes.length > 0);
    assert.deepEqual(files.get(tilePath(tile)), bytes, tilePath(tile));
  }
}

describeStores('publishing', (makePlace) => {
  const openStore = async (t: TestContext) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    return store;
  };

  test('gives the bytes that the service serves, and the checkpoint always last', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    await publishLedger(bucket.publisher(store));
    assert.equal(bucket.files.size, 0, 'an empty log has no checkpoint');
    for (const count of [1, 3, 250, 2, 300, 212, 17]) {
      await appendAll(store, [count]);
      bucket.asked.length = 0;
      await publishLedger(bucket.publisher(store));
      await assertComplete(store, bucket.files);
      const written = bucket.asked.filter(isWrite).map(({ path }) => path);
      assert.equal(written.indexOf('checkpoint'), written.length - 1);
      assert.equal(new Set(written).size, written.length, 'nothing twice');
    }
    bucket.asked.length = 0;
    await publishLedger(bucket.publisher(store));
    assert.deepEqual(bucket.asked.filter(isWrite), []);
  });

  test('with lost answers, repeats, refusals and an outage delays the checkpoint and loses nothing', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    const faults: Fault[] = ['lost', 503, 'repeated', 'cut', 409, 'lost', 500];
    const random = seededRandom(5);
    let n = 0;
    let failed = 0;
    for (const count of [100, 700, 40, 3]) {
      await appendAll(store, [count]);
      const before = bucket.files.get('checkpoint');
      // Away altogether: nothing changes.
      bucket.state.fault = () => 503;
      await assert.rejects(publishLedger(bucket.publisher(store)), { code: 'unavailable' });
      assert.equal(bucket.files.get('checkpoint'), before);
      // Then on and off, more often than a request is repeated.
      bucket.state.fault = () => (random() < 0.35 ? faults[n++ % faults.length] : undefined);
      for (let done = false; !done; )
        await publishLedger(bucket.publisher(store)).then(
          () => {
            done = true;
          },
          (error) => {
            assert.equal(error.code, 'unavailable', error.message);
            failed++;
          },
        );
      await assertComplete(store, bucket.files);
    }
    t.diagnostic(`${failed} attempts failed by ${n} faults`);
  });

  test('goes on where it was stopped, with a step to repeat at most', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    const transactions = 9;
    await appendAll(
      store,
      Array.from({ length: transactions }, () => 20 * TILE_WIDTH + 7),
    );
    const stop = new AbortController();
    const isPast = () => bucket.size() > 0 && bucket.asked.length > 250;
    bucket.state.fault = () => {
      if (isPast()) stop.abort();
      return undefined;
    };
    await assert.rejects(publishLedger(bucket.publisher(store, stop.signal)));
    const reached = bucket.size();
    assert.ok(reached > 0 && reached < transactions * (20 * TILE_WIDTH + 7));
    bucket.state.fault = () => undefined;
    bucket.asked.length = 0;
    await publishLedger(bucket.publisher(store));
    await assertComplete(store, bucket.files);
    const [first] = addedTiles(reached, reached + TILE_WIDTH);
    assert.ok(first);
    const bundles = bucket.asked.flatMap(({ method, path }) =>
      method === 'PUT' && /^tile\/entries\/\d+$/.test(path)
        ? [Number(path.slice('tile/entries/'.length))]
        : [],
    );
    assert.equal(Math.min(...bundles), first.index, 'what is covered is not sent again');
  });

  test('two at once get there together, and the checkpoint never goes back', async (t) => {
    const stores = await openStores(t, makePlace, 2);
    const bucket = await makeBucket(t);
    const sizes: number[] = [];
    bucket.state.fault = () => () => void sizes.push(bucket.size());
    const [store] = stores;
    assert.ok(store);
    const log = testLedger();
    for (let round = 0; round < 6; round++) {
      await appendAll(store, [130, 130], log);
      await Promise.all(stores.map((one) => publishLedger(bucket.publisher(one))));
      await assertComplete(store, bucket.files);
    }
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => a - b),
    );
  });

  test('refuses a place with another log, or with more of this one than the database has', async (t) => {
    const [store, other] = [await openStore(t), await openStore(t)];
    const bucket = await makeBucket(t);
    await appendAll(store, [300]);
    await appendAll(other, [200, 100, 50]);
    const other350 = (await latestCheckpoint(other))?.note ?? '';
    const stranger = createSigner('elsewhere', privateKeyFromSeed(Buffer.alloc(32, 9)));
    const own = readNote((await latestCheckpoint(store))?.note ?? '');
    const table: [note: string, message: RegExp][] = [
      [
        other350,
        /^s3:\/\/public-ledger has 350 entries of a log, but the database has 300: publish into an empty/,
      ],
      [
        signCheckpoint(300, 'ab'.repeat(32), testSigner, TEST_TIME),
        /has a different log from the database, of pocketwatch\.test with 300 entries/,
      ],
      [signCheckpoint(200, own.root, testSigner, TEST_TIME), /has a different log from the database/],
      [signCheckpoint(300, own.root, stranger, TEST_TIME), /has a different log .* of elsewhere/],
      ['<html>', /has a checkpoint that is none/],
    ];
    for (const [note, message] of table) {
      bucket.files.clear();
      bucket.files.set('checkpoint', Buffer.from(note));
      await assert.rejects(publishLedger(bucket.publisher(store)), { code: 'foreign', message });
      assert.deepEqual([...bucket.files.keys()], ['checkpoint']);
    }
  });

  test('stops at a file with other bytes, and at a row that was edited in the database', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    await appendAll(store, [300]);
    bucket.files.set('tile/0/000', Buffer.from('other'));
    await assert.rejects(publishLedger(bucket.publisher(store)), {
      code: 'different',
      message: /^tile\/0\/000 has other bytes than the database$/,
    });
    assert.equal(bucket.size(), 0);
    bucket.files.clear();
    await dropGuards(store);
    await editPayload(store, 7, '{"n":8}');
    await assert.rejects(
      publishLedger(bucket.publisher(store)),
      /tile\/entries\/000 .* do not hash to their leaves/,
    );
    assert.equal(bucket.size(), 0);
  });

  test('gives the key that signed the checkpoint, also where a slower publisher put back the old one', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    await appendAll(store, [3]);
    await publishLedger(bucket.publisher(store));
    const old = bucket.files.get('key');
    const next = createSigner(testSigner.name, privateKeyFromSeed(Buffer.alloc(32, 8)));
    const stored = await currentKey(store);
    assert.ok(stored && old && testKey);
    await store.transaction((tx) => rotateKey(tx, { stored, old: testSigner, next }));
    await publishLedger(bucket.publisher(store));
    assert.equal(`${bucket.files.get('key')}`, `${next.verifierKey}\n`);
    bucket.files.set('key', old);
    await publishLedger(bucket.publisher(store));
    await assertComplete(store, bucket.files);
  });

  test('gives the items of a submission once its window has closed by the time of the checkpoint', async (t) => {
    const store = await openStore(t);
    const bucket = await makeBucket(t);
    let now = TEST_TIME;
    const log = testLedger(() => now);
    const leaf = await store.transaction(async (tx) => {
      const window = { window_start: now, window_end: now + HOUR };
      const sealed = await sealSubmission(
        tx,
        log,
        {
          ...{ submitter_name: 'a system', contact_email: null, system_description: null },
          ...window,
          items: [],
        },
        { id: 'one', nonce: 'n', now },
      );
      await log.write(tx);
      return sealed;
    });
    assert.equal(leaf, 0);
    const detached = () => [...bucket.files].filter(([path]) => path.startsWith('detached/'));
    await publishLedger(bucket.publisher(store));
    assert.deepEqual(detached(), []);
    now += HOUR - 1;
    await append(store, log, 1, 1);
    await publishLedger(bucket.publisher(store));
    assert.deepEqual(detached(), []);
    now += 1;
    await append(store, log, 2, 1);
    await publishLedger(bucket.publisher(store));
    assert.deepEqual(
      detached().map(([, bytes]) => JSON.parse(`${bytes}`)),
      [{ nonce: 'n', predictions: [] }],
    );
  });
});
