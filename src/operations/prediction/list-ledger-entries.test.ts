import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { listLedgerEntries } from './list-ledger-entries.ts';

describeStores('GET /api/ledger/entries', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(store, [
      { slot: NOON - SLOT, score: 0.75 },
      { slot: NOON, calm: 0.6 },
    ]),
  );
  const newest = async (given = {}) =>
    (await askOperation(listLedgerEntries, store(), NOON, given)).structured;
  const revealed = 'tiongbahru-20261111T0345Z.pocket_projection_60m';
  const open = 'tiongbahru-20261111T0400Z.pocket_projection_60m';

  test('the newest of a kind, newest first, with the signed size of the log', async () => {
    const { entries, tree_size, checkpoint } = await newest();
    assert.deepEqual(
      entries.map(({ id, leaf_index }) => [id, leaf_index]),
      [
        [open, 2],
        [revealed, 0],
      ],
    );
    assert.equal(tree_size, 3);
    assert.match(checkpoint ?? '', /^pocketwatch\.test\n3\n/);
  });

  test('the limit holds, and a kind without entries gives an empty list', async () => {
    assert.deepEqual(
      (await newest({ limit: 1 })).entries.map(({ id }) => id),
      [open],
    );
    assert.deepEqual((await newest({ type: 'submission' })).entries, []);
  });
});

describeStores('an empty ledger', (makePlace) => {
  const store = storeFor(makePlace, async () => undefined);

  test('gives null and an empty list', async () => {
    const { structured } = await askOperation(listLedgerEntries, store(), NOON);
    assert.deepEqual(structured, { tree_size: null, checkpoint: null, entries: [] });
  });
});
