import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { testKey, testSigner } from '../../../test/support/stores/test-key.ts';
import { TEST_TIME, testLedger } from '../../../test/support/stores/test-ledger.ts';
import type { Written } from '../../domain/prediction/written.ts';
import { HOUR, iso, MINUTE } from '../../domain/time/slot.ts';
import { entryLeaf } from '../../ledger/entry.ts';
import { createSigner, privateKeyFromSeed } from '../../ledger/key.ts';
import { consistencyProof, inclusionProof } from '../../ledger/proof.ts';
import { openCheckpoint, parseVerifierKey } from '../../ledger/testing/open-note.ts';
import { verifyConsistency, verifyInclusion } from '../../ledger/testing/verify-proof.ts';
import type { Engine, StoreError } from '../engine/store.ts';
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
    await log.write(tx);
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
  return openCheckpoint(checkpoint.note, parseVerifierKey(testSigner.verifierKey));
};

const storedPayloads = async (store: Engine): Promise<Partial<Written>[]> => {
  const rows = await storedEntries(store);
  return rows.map(({ payload }) => JSON.parse(payload));
};

describeStores('ledger', (makePlace) => {
  test('appends from two processes, with failed ones between, form one tree that proves every row', async (t) => {
    const stores = await openStores(t, makePlace, 2);
    const logs = stores.map(() => testLedger());
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
        const log = testLedger();
        return [append(store, log, i * 20, 10), append(store, testLedger(), i * 20 + 10, 10)];
      }),
    );
    const head = await committed(stores[0] ?? assert.fail());
    assert.equal(head.size, 60);
  });

  test('a process with another key, or the same key for another origin, appends nothing', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    await append(store, testLedger(), 0, 3);
    const before = await latestCheckpoint(store);
    for (const signer of [
      createSigner(testSigner.name, privateKeyFromSeed(Buffer.alloc(32, 8))),
      createSigner('pocketwatch.other', testKey),
    ]) {
      const log = new LedgerLog(new LogTree(signer), () => TEST_TIME);
      await assert.rejects(append(store, log, 3, 1), ({ code, cause }: StoreError) => {
        assert.equal(code, 'key_changed');
        assert.match(String(cause), /restart it with the new key$/);
        return true;
      });
    }
    assert.deepEqual(await latestCheckpoint(store), before);
    await append(store, testLedger(), 3, 1);
  });

  test('nothing is sealed in a store that lacks what was signed, as one may after a failover', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    const [promoted] = await openStores(t, makePlace, 1);
    assert.ok(store && promoted);
    for (const place of [store, promoted]) await append(place, testLedger(), 0, 3);
    const log = testLedger();
    await append(store, log, 3, 2);
    const known = await committed(store);
    const isLoss = ({ code, cause }: StoreError) => {
      assert.equal(code, 'lost_entries');
      assert.match(String(cause), /the one of 5 entries that was signed: nothing is sealed/);
      return true;
    };
    // What it signed itself, and what its machine knows; also at the next try, and where as many entries are there again.
    const others = new LedgerLog(new LogTree(testSigner, () => known), () => TEST_TIME);
    for (const own of [log, log, others]) await assert.rejects(append(promoted, own, 5, 1), isLoss);
    await append(promoted, testLedger(), 7, 2);
    for (const own of [log, others]) await assert.rejects(append(promoted, own, 9, 1), isLoss);
    assert.equal((await committed(promoted)).size, 5);
    for (const own of [log, others]) await append(store, own, own === log ? 5 : 6, 1);
  });

  test('the time written is that of the store, wherever the clock of the process stands', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    const { now } = Date;
    const from = await store.clock();
    for (const off of [0, 10 * MINUTE, 26 * HOUR]) {
      t.mock.method(Date, 'now', () => now() + off);
      await append(store, new LedgerLog(new LogTree(testSigner)), off, 1);
    }
    const until = await store.clock();
    const written = (await storedPayloads(store)).map(({ written_at }) => Date.parse(written_at ?? ''));
    assert.equal(written.length, 3);
    for (const time of written) assert.ok(from <= time && time <= until, `${from} ${time} ${until}`);
  });

  test('the time written never goes back, whichever process writes and wherever its clock stands', async (t) => {
    const stores = await openStores(t, makePlace, 2);
    let now = 0;
    const logs = stores.map((_, i) => testLedger(() => now - i * HOUR));
    const times = [3, 5, 4, 9, 1].map((hour) => TEST_TIME + hour * HOUR);
    for (const [i, time] of times.entries()) {
      now = time;
      await append(stores[i % 2] ?? assert.fail(), logs[i % 2] ?? assert.fail(), i * 2, 2);
    }
    const [store] = stores;
    assert.ok(store);
    const written = (await storedPayloads(store)).map(({ written_at }) => written_at);
    const expected = [3, 4, 4, 8, 8].map((hour) => iso(TEST_TIME + hour * HOUR));
    assert.deepEqual(
      written,
      expected.flatMap((time) => [time, time]),
    );
    const signed = await store.all<{ note: string; signed_at: number }>(
      'select note, signed_at from ledger_checkpoints order by size',
    );
    const verifier = parseVerifierKey(testSigner.verifierKey);
    assert.deepEqual(
      signed.map(({ note }) => iso(openCheckpoint(note, verifier).writtenAt ?? 0)),
      expected,
    );
    assert.deepEqual(
      signed.map(({ signed_at }) => iso(signed_at)),
      expected,
    );
  });

  test('only what a virtual clock wrote is marked, and the two kinds are counted apart', async (t) => {
    const [store] = await openStores(t, makePlace, 1);
    assert.ok(store);
    const ledger = testLedger();
    const outcome = (hours: number) => ({ reveal_at: iso(TEST_TIME + hours * HOUR) });
    const seal = (virtual: boolean, payloads: object[], fail = false) => {
      const work = store.transaction(async (tx) => {
        if (virtual) ledger.markBackfilled();
        const rows = payloads.map((payload, n) => ({ id: `row-${n}`, payload }));
        const receipts = await ledger.append(tx, 'prediction', rows);
        if (fail) throw new Error('on purpose');
        await ledger.write(tx);
        return ledger.recentlySealed(receipts.map(({ leaf }) => leaf));
      });
      return work.catch(() => ledger.reset());
    };
    await seal(true, [outcome(1)], true);
    const live = await seal(false, [outcome(1), outcome(0), { revealed_at: iso(TEST_TIME) }]);
    const history = await seal(true, [outcome(1), outcome(-24)]);
    await seal(false, [outcome(2)]);
    const sealed = await storedPayloads(store);
    assert.deepEqual(
      sealed.map(({ backfilled }) => backfilled ?? null),
      [null, null, null, true, true, null],
    );
    const cached = [...(live ?? []), ...(history ?? [])].map(({ payload }) => payload);
    assert.deepEqual(cached, sealed.slice(0, 5), 'what is cached is what was sealed');
    const counts = await store.get<object>(
      'select size, sealed_before_outcome, written_afterwards from ledger_size where id = 1',
    );
    assert.deepEqual({ ...counts }, { size: 6, sealed_before_outcome: 2, written_afterwards: 3 });
  });
});
