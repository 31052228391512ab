import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores, type MakePlace } from '../../../test/support/stores/store-places.ts';
import { editPayload } from '../../../test/support/stores/stored-entries.ts';
import { dropGuards } from '../../../test/support/stores/tamper-ledger.ts';
import { testLedger } from '../../../test/support/stores/test-ledger.ts';
import type { ReadTile } from '../../ledger/proof.ts';
import { memoryLog } from '../../ledger/testing/memory-log.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';
import type { Reader, Store, Transaction } from '../engine/store.ts';
import { type BatchProgress, recordBatches, runBatches } from '../schema/batches.ts';
import { removeLeafTiles } from '../schema/bundle-older-entries.ts';
import { entryLeafHash } from './bundles.ts';
import { readEntries } from './entries.ts';
import { ledgerSize, publishedTile, tileReader } from './ledger-reads.ts';
import { removeBatch, writeArchive } from './remove-archived.ts';

const BUNDLES = 7;
const SIZE = BUNDLES * TILE_WIDTH + 200;

const append = async (store: Store, from: number, count: number) => {
  const log = testLedger();
  const rows = Array.from({ length: count }, (_, n) => ({ id: `row-${from + n}`, payload: { n: from + n } }));
  await store.transaction(async (tx) => {
    await log.append(tx, 'silence', rows);
    await log.write(tx);
  });
};

/** A log of seven bundles and 200 entries, and its complete tiles as a log in memory has them. */
async function storedLog(t: TestContext, makePlace: MakePlace) {
  const store = await openMigratedStore(t, makePlace);
  await append(store, 0, SIZE);
  const leaves = Array.from({ length: SIZE }, (_, leaf) => leaf);
  const entryAt = await readEntries(store, leaves);
  const memory = memoryLog();
  memory.append(leaves.map((leaf) => entryLeafHash(entryAt(leaf))));
  const tiles = await readTiles(memory.read);
  return { store, tiles };
}

const readTiles = (read: ReadTile): Promise<Buffer[]> =>
  Promise.all(Array.from({ length: BUNDLES }, (_, index) => read({ level: 0, index, width: TILE_WIDTH })));

/** As a verifier reads them, and for proofs. */
const bothKinds = (store: Reader) => [publishedTile(store), tileReader(store)];

const archive = (store: Store, bundles: number) =>
  store.transaction(async (tx) => {
    await writeArchive(tx, { bundles, rows_from: 1, place: undefined });
    return removeBatch(tx);
  });

/** As versions of schema 22 and before stored them. */
const insertTile = (tx: Transaction, idx: number, hashes: Buffer | undefined) =>
  tx.insert('ledger_tiles', [{ level: 0, idx, hashes: hashes ?? Buffer.of() }]);

const storedTiles = async (store: Reader) =>
  (await store.all<{ idx: number }>('select idx from ledger_tiles where level = 0 order by idx')).map(
    ({ idx }) => idx,
  );

const refuse = (store: Store, sql: string) =>
  assert.rejects(
    store.transaction((tx) => tx.run(sql)),
    /append-only/,
    sql,
  );

/** Reads the store, and changes it before one of the statements. */
function changedBefore(store: Store, statement: number, change: () => Promise<unknown>): Reader {
  let asked = 0;
  const counted = async () => {
    if (asked++ === statement) await change();
  };
  return {
    all: async (sql, ...params) => counted().then(() => store.all(sql, ...params)),
    get: async (sql, ...params) => counted().then(() => store.get(sql, ...params)),
  };
}

/** More than a tile is looked for by. */
const STATEMENTS = BUNDLES;

describeStores('tiles of level 0', (makePlace) => {
  test('are computed while their entries are there, and stored when those leave', async (t) => {
    const { store, tiles } = await storedLog(t, makePlace);
    assert.deepEqual(await storedTiles(store), []);
    for (const read of bothKinds(store)) assert.deepEqual(await readTiles(read), tiles);
    assert.equal((await archive(store, 2))?.bundles, 2);
    assert.deepEqual(await storedTiles(store), [0, 1]);
    for (const read of bothKinds({ all: store.all, get: store.get }))
      assert.deepEqual(await readTiles(read), tiles);
    await refuse(store, 'delete from ledger_tiles');
  });

  test('over entries that were edited in the database are not taken for those of the log', async (t) => {
    const { store } = await storedLog(t, makePlace);
    await dropGuards(store, ['ledger_bundles']);
    await editPayload(store, TILE_WIDTH + 7, '{"n":8}');
    await assert.rejects(
      archive(store, 2),
      /entries of bundle 1 in the database do not hash to their leaves/,
    );
    assert.deepEqual(await storedTiles(store), []);
    assert.ok(await store.get('select 1 from ledger_bundles where idx = 0'));
  });

  test('of an older version go in batches, but for those whose entries have left', async (t) => {
    const { store, tiles } = await storedLog(t, makePlace);
    await archive(store, 1);
    await store.transaction(async (tx) => {
      for (const idx of [1, 2, 3, 4, 5, 6]) await insertTile(tx, idx, tiles[idx]);
      await tx.insert('ledger_tiles', [{ level: 1, idx: 2, hashes: Buffer.of(1) }]);
      await tx.run('delete from schema_batches');
      await recordBatches(tx, [removeLeafTiles], 0);
    });
    await refuse(store, 'delete from ledger_tiles where idx = 0 and level = 0');
    await refuse(store, 'delete from ledger_tiles where level = 1');
    const batches: BatchProgress[] = [];
    await runBatches(store, {
      changes: [removeLeafTiles],
      clock: () => 0,
      pauseMs: 0,
      onBatch: (progress) => batches.push(progress),
    });
    assert.deepEqual(batches, [{ key: '023_leaf_tiles', done: 6, total: 6 }]);
    assert.deepEqual(await storedTiles(store), [0]);
    for (const read of bothKinds(store)) assert.deepEqual(await readTiles(read), tiles);
  });

  test('are found wherever they go between two statements', async (t) => {
    const { store, tiles } = await storedLog(t, makePlace);
    const readDuring = async (idx: number, width: number, at: number, change: () => Promise<unknown>) =>
      publishedTile(changedBefore(store, at, change))({ level: 0, index: idx, width });
    await dropGuards(store, ['ledger_bundles', 'tiles_of_1_0']);
    for (let at = 0; at < STATEMENTS; at++) {
      const hashes = tiles[at] ?? assert.fail();
      await store.transaction((tx) => insertTile(tx, at, hashes));
      const upgrade = () =>
        store.transaction((tx) => tx.run('delete from ledger_tiles where level = 0 and idx = ?', at));
      assert.deepEqual(await readDuring(at, TILE_WIDTH, at, upgrade), hashes, `an upgrade before ${at}`);
      await upgrade();

      const bundle = await store.get<{ entries: Uint8Array }>(
        'select entries from ledger_bundles where idx = ?',
        at,
      );
      await store.transaction(async (tx) => {
        await tx.run('delete from ledger_bundles where idx = ?', at);
        await tx.insert('tiles_of_1_0', [{ level: 0, idx: at, hashes: hashes.toString('base64') }]);
      });
      let isMoved = false;
      const move = async () => {
        if (isMoved) return;
        isMoved = true;
        await store.transaction(async (tx) => {
          await tx.insert('ledger_bundles', [{ idx: at, entries: bundle?.entries ?? null }]);
          await tx.run('delete from tiles_of_1_0');
        });
      };
      assert.deepEqual(
        await readDuring(at, TILE_WIDTH, at, move),
        hashes,
        `an upgrade of 1.0.0 before ${at}`,
      );
      await move();

      const size = (BUNDLES + at) * TILE_WIDTH + 200;
      const newest = await publishedTile(store)({ level: 0, index: BUNDLES + at, width: 200 });
      const complete = () => append(store, size, TILE_WIDTH);
      const completed = await readDuring(BUNDLES + at, 200, at, complete);
      assert.deepEqual(completed, newest, `a completed tile before ${at}`);
      if ((await ledgerSize(store)) === size) await complete();
    }
    for (let at = 0; at < STATEMENTS; at++) {
      const hashes = tiles[at] ?? assert.fail();
      const leave = () => archive(store, at + 1);
      assert.deepEqual(await readDuring(at, TILE_WIDTH, at, leave), hashes, `an archive before ${at}`);
      await leave();
    }
  });
});
