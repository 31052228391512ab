import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { testSigner } from '../../../test/support/stores/test-key.ts';
import { TEST_TIME } from '../../../test/support/stores/test-ledger.ts';
import { HOUR, iso, MINUTE } from '../../domain/time/slot.ts';
import { openStore } from '../engine/open.ts';
import type { Store } from '../engine/store.ts';
import { ledgerAppender } from '../ledger/append.ts';
import { acceptSubmission, appendAccepted, findReceipt } from './accepted-submissions.ts';
import { submissionWriter } from './submission-writer.ts';
import { unscoredSubmissions } from './submissions.ts';

const window = { window_start: TEST_TIME, window_end: TEST_TIME + 3 * HOUR };
const submission = { submitter_name: 'a system', ...window, items: [] };
const accept = (store: Store, id: string, at: number) =>
  store.transaction((tx) => acceptSubmission(tx, submission, { id, nonce: '', at }));
const append = (store: Store, clock: number) =>
  ledgerAppender(store, testSigner, () => clock)(appendAccepted);
const sealed = async (store: Store) =>
  (await storedEntries(store)).map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);

describeStores('a submission that was accepted', (makePlace, engine) => {
  test('is appended once, in the order of acceptance', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    for (const [id, after] of [
      ['c', 2],
      ['b', 1],
      ['a', 2],
    ] as const)
      await accept(store, id, TEST_TIME + after);
    assert.deepEqual(await findReceipt(store, 'b'), { id: 'b', sealed_at: TEST_TIME + 1, entry: null });
    await Promise.all([append(store, TEST_TIME + MINUTE), append(store, TEST_TIME + MINUTE)]);
    assert.deepEqual(
      (await sealed(store)).map(({ id }) => id),
      ['b', 'a', 'c'],
    );
    const { entry } = (await findReceipt(store, 'b')) ?? {};
    assert.equal(entry?.written_at, iso(TEST_TIME + MINUTE));
    assert.match(entry?.payload_hash ?? '', /^sha256:/);
    assert.deepEqual(await store.all('select * from accepted_submissions'), []);
  });

  test('says so where the ledger has it more than a minute later, and is scored from then on', async (t) => {
    const cases = [
      { later: -MINUTE, late: false },
      { later: 0, late: false },
      { later: MINUTE, late: false },
      { later: MINUTE + 1, late: true },
      { later: 2 * HOUR, late: true },
    ];
    for (const { later, late } of cases) {
      const store = await openMigratedStore(t, makePlace);
      await accept(store, 's', TEST_TIME);
      await append(store, TEST_TIME + later);
      const [payload] = await sealed(store);
      assert.equal(payload?.written_late, late ? true : undefined, `${later}`);
      assert.equal(payload?.sealed_at, iso(TEST_TIME));
      const [scored] = await unscoredSubmissions(store, window.window_end, { submissions: 1, items: 1 });
      assert.equal(scored?.scored_from, late ? TEST_TIME + later : TEST_TIME, `${later}`);
    }
  });

  test('waits where the clock was set back by more than a minute, until its time has come again', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await accept(store, 'ahead', TEST_TIME + MINUTE + 1);
    await accept(store, 'now', TEST_TIME);
    await append(store, TEST_TIME);
    await append(store, TEST_TIME);
    assert.deepEqual(
      (await sealed(store)).map(({ id }) => id),
      ['now'],
    );
    await append(store, TEST_TIME + 1);
    assert.equal((await sealed(store)).length, 2);
  });

  // On SQLite whoever writes waits for all others.
  if (engine === 'postgres')
    test('is told of while something else holds the log, and sealed afterwards', async (t) => {
      const place = await makePlace();
      const stores = [openStore(place), openStore(place)] as const;
      const release = Promise.withResolvers<void>();
      t.after(async () => {
        release.resolve();
        await Promise.all(stores.map((store) => store.close()));
        await place.remove();
      });
      const [other, store] = stores;
      const held = Promise.withResolvers<void>();
      const slow = ledgerAppender(
        other,
        testSigner,
        () => TEST_TIME,
      )(async (tx, ledger) => {
        await ledger.append(tx, 'silence', [{ id: 'row', payload: { id: 'row' } }]);
        held.resolve();
        await release.promise;
      });
      await Promise.race([held.promise, slow]);
      const writer = submissionWriter(store, testSigner, { clock: () => TEST_TIME });
      for (const id of ['first', 'second']) {
        await writer.accept((tx, at) => acceptSubmission(tx, submission, { id, nonce: '', at }));
        assert.deepEqual(await writer.seal(id), { id, sealed_at: TEST_TIME, entry: null });
      }
      release.resolve();
      await slow;
      assert.ok((await writer.seal('first'))?.entry);
      assert.deepEqual(
        (await sealed(store)).map(({ id }) => id),
        ['row', 'first', 'second'],
      );
    });
});
