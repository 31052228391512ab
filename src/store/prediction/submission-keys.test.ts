import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { TEST_TIME } from '../../../test/support/stores/test-ledger.ts';
import { DAY, HOUR } from '../../domain/time/slot.ts';
import { createSigner, privateKeyFromSeed, type Signer } from '../../ledger/key.ts';
import type { Reader, Store } from '../engine/store.ts';
import { currentKey } from '../ledger/ledger-keys.ts';
import { rotateKey } from '../ledger/rotate-key.ts';
import {
  acceptSubmissionOnce,
  findAccepted,
  KeyConflict,
  recordSender,
  submissionKey,
} from './submission-keys.ts';
import { keyedHash } from './submission-secret.ts';
import { submissionWriter } from './submission-writer.ts';

const next = createSigner(testSigner.name, privateKeyFromSeed(Buffer.alloc(32, 5)));
const window = { window_start: TEST_TIME, window_end: TEST_TIME + HOUR };
const sender = { address: '203.0.113.1', idempotencyKey: 'chosen' };
const elsewhere = { ...sender, address: '203.0.113.2' };

async function seal(store: Store, signer: Signer, id: string, from: Parameters<typeof submissionKey>[2]) {
  const key = submissionKey(await keyedHash(store, signer), 'text', from);
  const submission = { submitter_name: 'a system', ...window, items: [] };
  const { accept, appendAll } = submissionWriter(store, signer, { clock: () => TEST_TIME });
  await accept((tx, at) => acceptSubmissionOnce(tx, submission, key, { id, nonce: '', at }));
  await appendAll();
}

async function rotate(store: Store, old: Signer | undefined): Promise<void> {
  const stored = (await currentKey(store)) ?? assert.fail();
  assert.ok(await store.transaction((tx) => rotateKey(tx, { stored, old, next })));
}

describeStores('the idempotency key of a submission', (makePlace) => {
  test("is still known after the ledger's key has changed", async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await seal(store, testSigner, 'first', sender);
    await seal(store, testSigner, 'second', { address: sender.address });
    await rotate(store, testSigner);
    const hash = await keyedHash(store, next);
    const found = async (text: string, from: Parameters<typeof submissionKey>[2]) =>
      (await findAccepted(store, submissionKey(hash, text, from), TEST_TIME + HOUR))?.id;
    assert.equal(await found('text', sender), 'first');
    assert.equal(await found('text', elsewhere), 'first');
    assert.equal(await found('text', { address: sender.address }), 'second');
    await assert.rejects(found('another text', sender), KeyConflict);
    assert.equal(await found('another text', elsewhere), undefined);
  });

  test('is forgotten when the old key was lost, and the store goes on with a new secret', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await seal(store, testSigner, 'first', sender);
    await rotate(store, undefined);
    const [hash, same] = [await keyedHash(store, next), await keyedHash(store, next)];
    assert.equal(hash('x'), same('x'));
    assert.equal(await findAccepted(store, submissionKey(hash, 'text', sender), TEST_TIME), undefined);
  });

  test('of another address ends with the first one', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await seal(store, testSigner, 'first', sender);
    const hash = await keyedHash(store, testSigner);
    const late = TEST_TIME + DAY - 1;
    const key = submissionKey(hash, 'text', elsewhere);
    assert.equal((await findAccepted(store, key, late))?.isNewSender, true);
    await store.transaction((tx) => recordSender(tx, key, late));
    assert.equal((await findAccepted(store, key, late))?.isNewSender, false);
    const other = submissionKey(hash, 'another text', elsewhere);
    await assert.rejects(findAccepted(store, other, late), KeyConflict);
    for (const expired of [key, other]) assert.equal(await findAccepted(store, expired, late + 1), undefined);
  });

  test('is free or found, but not refused, while another request of the same key is committed', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const hash = await keyedHash(store, testSigner);
    for (const { address } of [sender, elsewhere])
      for (const before of [0, 1, 2]) {
        const id = `${address}-${before}`;
        let reads = 0;
        const commit = async () => {
          if (reads++ === before) await seal(store, testSigner, id, { ...sender, idempotencyKey: id });
        };
        const reader: Reader = {
          get: (...args) => commit().then(() => store.get(...args)),
          all: (...args) => commit().then(() => store.all(...args)),
        };
        const key = submissionKey(hash, 'text', { address, idempotencyKey: id });
        assert.equal((await findAccepted(reader, key, TEST_TIME))?.id, before === 0 ? id : undefined);
      }
  });

  test('has one secret for all processes, which the store alone does not tell', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const hashes = await Promise.all(Array.from({ length: 4 }, () => keyedHash(store, testSigner)));
    assert.equal(new Set(hashes.map((hash) => hash('x'))).size, 1);
    const rows = await store.all<{ key_id: string; encrypted: string }>('select * from submission_secret');
    assert.deepEqual(
      rows.map(({ key_id }) => key_id),
      [testSigner.keyId],
    );
    // With another key nothing can be made of it: another secret takes its place.
    assert.notEqual((await keyedHash(store, next))('x'), hashes[0]?.('x'));
  });
});
