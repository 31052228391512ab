import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { openCheckpoint } from '../../ledger/checkpoint.ts';
import { entryLeaf } from '../../ledger/entry.ts';
import { verifierOf } from '../../ledger/key.ts';
import { consistencyProof, inclusionProof } from '../../ledger/proof.ts';
import { verifyConsistency, verifyInclusion } from '../../ledger/verify-proof.ts';
import type { Engine } from '../engine/store.ts';
import { LedgerLog } from './ledger-log.ts';
import { entriesOfTile, latestCheckpoint, tileReader } from './ledger-reads.ts';
import { LogTree } from './log-tree.ts';

const payloads = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `row-${from + i}`,
    payload: { n: from + i, text: '荷兰村' },
  }));

async function append(
  store: Engine,
  log: LedgerLog,
  from: number,
  count: number,
  fail = false,
): Promise<void> {
  const work = store.transaction(async (tx) => {
    await log.append(tx, 'silence', payloads(from, count));
    await log.write(tx, 0);
    if (fail) throw new Error('on purpose');
  });
  await work.catch((error) => {
    log.reset();
    if (!fail) throw error;
  });
}

const committed = async (store: Engine) => {
  const checkpoint = await latestCheckpoint(store);
  assert.ok(checkpoint);
  return openCheckpoint(checkpoint.note, verifierOf(testSigner.verifierKey));
};

describeStores('ledger', (makePlace) => {
  test('appends from two processes, with failed ones between, form one tree that proves every row', async (t) => {
    const stores = await openStores(t, makePlace, 2);
    const logs = stores.map(() => new LedgerLog(new LogTree(testSigner)));
    const sizes = [1, 3, 250, 2, 300, 17];
    const roots: { size: number; root: string }[] = [];
    let size = 0;
    for (const [i, count] of sizes.entries()) {
      const [store, log] = [stores[i % 2], logs[i % 2]];
      assert.ok(store && log);
      await append(store, log, size, count, true);
      await append(store, log, size, count);
      size += count;
      const head = await committed(store);
      assert.equal(head.size, size);
      roots.push(head);
    }

    const [store] = stores;
    assert.ok(store);
    const read = tileReader(store);
    const { root } = roots.at(-1) ?? assert.fail();
    for (const leaf of [0, 1, 255, 256, 300, size - 1]) {
      const [text] = (await entriesOfTile(store, Math.floor(leaf / 256), 256)).slice(leaf % 256);
      assert.equal(JSON.parse(text ?? '').id, `row-${leaf}`);
      assert.ok(text);
      const proof = await inclusionProof(read, leaf, size);
      assert.equal(verifyInclusion({ leaf: entryLeaf(text), index: leaf, size, root, proof }), true);
    }
    for (const earlier of roots) {
      const proof = await consistencyProof(read, earlier.size, size);
      assert.equal(
        verifyConsistency({ from: earlier.size, to: size, fromRoot: earlier.root, toRoot: root, proof }),
        true,
      );
    }
  });

  test('concurrent appends from several processes wait for each other', async (t) => {
    const stores = await openStores(t, makePlace, 3);
    await Promise.all(
      stores.flatMap((store, i) => {
        const log = new LedgerLog(new LogTree(testSigner));
        return [
          append(store, log, i * 20, 10),
          append(store, new LedgerLog(new LogTree(testSigner)), i * 20 + 10, 10),
        ];
      }),
    );
    const head = await committed(stores[0] ?? assert.fail());
    assert.equal(head.size, 60);
  });
});
