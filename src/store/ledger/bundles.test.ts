import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { dropGuards } from '../../../test/support/stores/tamper-ledger.ts';
import { testLedger } from '../../../test/support/stores/test-ledger.ts';
import { canonicalJson } from '../../ledger/canonical-json.ts';
import { LedgerError } from '../../ledger/error.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader, Store } from '../engine/store.ts';
import { batchedChanges, runBatches } from '../schema/batches.ts';
import { bundleOlderEntries, packOlderTiles } from '../schema/bundle-older-entries.ts';
import { countEntries, readEntries } from './entries.ts';
import { indexBundles, leavesByHash } from './hash-index.ts';
import { publishedTile } from './ledger-reads.ts';
import { packBundle, parseLine, unpackBundle } from './packed-bundle.ts';

test('a packed bundle comes back byte for byte', () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 });
  const entry = fc.record({
    type: fc.constantFrom('silence' as const, 'prediction' as const),
    id: fc.stringMatching(/^[\w.-]{1,30}$/),
    payload: fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }))),
  });
  const bundle = fc.array(entry, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(bundle, (some) => {
      const entries = Array.from({ length: TILE_WIDTH }, (_, n) => {
        const { payload, ...own } = some[n % some.length] ?? assert.fail();
        return { ...own, payload: canonicalJson(payload) };
      });
      assert.deepEqual(unpackBundle(packBundle(entries)).map(parseLine), entries);
    }),
    { numRuns: 50 },
  );
  assert.throws(() => packBundle([]), LedgerError);
});

test('bytes that are no bundle, or unpack to more than one can have, are refused', () => {
  for (const bytes of [Buffer.from('no zstd'), zstdCompressSync(Buffer.alloc(TILE_WIDTH * 70_000))])
    assert.throws(() => unpackBundle(bytes), {
      name: 'LedgerError',
      message: /^a bundle cannot be unpacked/,
    });
});

const append = async (store: Store, from: number, count: number) => {
  const log = testLedger();
  const payloads = Array.from({ length: count }, (_, n) => ({
    id: `row-${from + n}`,
    payload: { n: from + n, text: 'tab \t, line\n, 荷兰村 🙂' },
  }));
  await store.transaction(async (tx) => {
    await log.append(tx, 'silence', payloads);
    await log.write(tx);
  });
};

const count = async (store: Store, table: string) =>
  (await store.get<{ n: number }>(`select count(*) as n from ${table}`))?.n;

describeStores('bundles', (makePlace) => {
  test('hold the entries of complete tiles, and the others have rows', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    let size = 0;
    for (const more of [1, 254, 1, 1, 600, 300]) {
      await append(store, size, more);
      size += more;
      assert.equal(await count(store, 'ledger_bundles'), Math.floor(size / TILE_WIDTH));
      assert.equal(await count(store, 'ledger_entries'), size % TILE_WIDTH);
      assert.deepEqual(await countEntries(store), { count: size, first: 0, last: size - 1 });
      assert.deepEqual(
        (await storedEntries(store)).map(({ leaf, id }) => [leaf, id]),
        Array.from({ length: size }, (_, leaf) => [leaf, `row-${leaf}`]),
      );
    }
    await assert.rejects(async () => (await readEntries(store, [size]))(size), /no entry at leaf/);
  });

  test('entries of 1.0.0 are read wherever they are, while new ones are appended', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const size = 20 * TILE_WIDTH + 100;
    await append(store, 0, size);
    const entries = await storedEntries(store);
    const tiles = await leafTiles(store, 20);
    await returnTo1_0(store, entries, tiles);
    assert.deepEqual(await storedEntries(store), entries);
    assert.deepEqual(await leafTiles(store, 20), tiles);
    await append(store, size, 10);
    let batches = 0;
    await runBatches(store, {
      changes: [bundleOlderEntries, packOlderTiles],
      clock: () => 0,
      pauseMs: 0,
      onBatch: () => {
        batches += 1;
      },
    });
    assert.equal(batches, 3);
    assert.equal(await count(store, 'ledger_bundles'), 20);
    assert.equal(await count(store, 'entries_of_1_0'), 100);
    assert.deepEqual((await storedEntries(store)).slice(0, size), entries);
    assert.deepEqual([await count(store, 'tiles_of_1_0'), await count(store, 'ledger_tiles')], [0, 0]);
    assert.deepEqual(await leafTiles(store, 20), tiles);
    // The rest of the last bundle is stored with it.
    await append(store, size + 10, TILE_WIDTH);
    assert.equal(await count(store, 'entries_of_1_0'), 0);
    assert.deepEqual((await storedEntries(store)).slice(0, size), entries);
    assert.equal((await countEntries(store)).count, size + 10 + TILE_WIDTH);
    for (const leaf of [0, 4000, size - 1]) {
      const [first] = await leavesByHash(store, entries[leaf]?.payload_hash.slice('sha256:'.length) ?? '');
      assert.equal(first, leaf);
    }
  });

  test('an entry is found by its hash, in a segment that is merged and in one that is not', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const hashOf = (leaf: number, kind: string) => hash('sha256', `${kind}${leaf}`);
    const bundle = (idx: number) => ({
      idx,
      hashes: Array.from({ length: TILE_WIDTH }, (_, n) => idx * TILE_WIDTH + n).flatMap((leaf) => [
        hashOf(leaf, 'payload'),
        hashOf(leaf, 'leaf'),
      ]),
    });
    // An upgrade fills the first bundles while later ones are stored.
    const order = [257, 0, 1, 258, ...Array.from({ length: 255 }, (_, n) => n + 2)];
    for (const idx of order) await store.transaction((tx) => indexBundles(tx, [bundle(idx)]));
    assert.equal(await count(store, 'ledger_hash_index where level = 0'), 3);
    assert.equal(await count(store, 'ledger_hash_index where level = 1'), 256);
    const leaf = fc.integer({ min: 0, max: 259 * TILE_WIDTH - 1 });
    await fc.assert(
      fc.asyncProperty(leaf, fc.constantFrom('payload', 'leaf'), async (wanted, kind) => {
        assert.ok((await leavesByHash(store, hashOf(wanted, kind))).includes(wanted));
        // Four bytes tell all but about one of 60,000 others apart.
        assert.ok((await leavesByHash(store, hashOf(wanted, 'another'))).length <= 1);
      }),
      { numRuns: 40 },
    );
  });
});

const leafTiles = (store: Reader, count: number): Promise<Buffer[]> => {
  const read = publishedTile(store);
  return Promise.all(
    Array.from({ length: count }, (_, index) => read({ level: 0, index, width: TILE_WIDTH })),
  );
};

/** Moves the log into the tables of 1.0.0, as `migrate` leaves them before the first batch. */
async function returnTo1_0(
  store: Store,
  entries: Awaited<ReturnType<typeof storedEntries>>,
  tiles: readonly Buffer[],
): Promise<void> {
  await dropGuards(store);
  await store.transaction(async (tx) => {
    for (const table of ['ledger_bundles', 'ledger_entries', 'ledger_hash_index', 'schema_batches'])
      await tx.run(`delete from ${table}`);
    await tx.insert(
      'entries_of_1_0',
      entries.map((entry) => ({ ...entry, leaf_hash_start: '' })),
    );
    await tx.insert(
      'tiles_of_1_0',
      tiles.map((hashes, idx) => ({ level: 0, idx, hashes: hashes.toString('base64') })),
    );
    for (const { key } of batchedChanges)
      await tx.insert('schema_batches', [
        { key, position: '', done: 0, total: 1, began_at: 0, updated_at: 0, finished: 0 },
      ]);
  });
}
