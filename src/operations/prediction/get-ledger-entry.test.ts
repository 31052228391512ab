import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { NotFound } from '../core/define.ts';
import { getLedgerEntry } from './get-ledger-entry.ts';

describeStores('GET /api/ledger/entry/:id', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(store, [
      { slot: NOON - SLOT, score: 0.75 },
      { slot: NOON, calm: 0.6 },
    ]),
  );
  const one = (id: string) => askOperation(getLedgerEntry, store(), NOON, { id });
  const revealed = 'tiongbahru-20261111T0345Z.pocket_projection_60m';
  const open = 'tiongbahru-20261111T0400Z.pocket_projection_60m';

  test('an entry as it was sealed: its text hashes to its payload_hash', async () => {
    const { structured, text } = await one(revealed);
    assert.deepEqual([structured.id, structured.type], [revealed, 'prediction']);
    assert.equal(`sha256:${hash('sha256', structured.canonical)}`, structured.payload_hash);
    assert.deepEqual(JSON.parse(structured.canonical), structured.payload);
    assert.deepEqual([structured.leaf_index, structured.tree_size], [0, 3]);
    assert.match(
      text,
      /^a prediction, leaf 0 of 3, written at 2026-11-11T03:45:00.000Z, before its outcome; sealed as sha256:[0-9a-f]{64}\.$/,
    );
  });

  test('says when it was written, and where its proof and its page are', async () => {
    const { structured } = await one(revealed);
    const { written_at, backfilled, sealed_before_outcome, proof_url, page_url } = structured;
    assert.deepEqual(
      [written_at, backfilled, sealed_before_outcome],
      ['2026-11-11T03:45:00.000Z', false, true],
    );
    assert.equal(proof_url, `https://pocketwatch.test/api/ledger/proof/${revealed}`);
    assert.equal(page_url, `https://pocketwatch.test/ledger/${revealed}`);
    const reveal = await one(`${revealed}:reveal`);
    assert.equal(reveal.structured.sealed_before_outcome, null);
    assert.match(reveal.text, /^a reveal, leaf 1 of 3, written at 2026-11-11T03:45:00.000Z, an outcome;/);
  });

  test('with its outcome once it is revealed', async () => {
    const { outcome } = (await one(revealed)).structured;
    assert.equal(outcome?.id, `${revealed}:reveal`);
    assert.equal(outcome?.payload.accuracy_score, 0.75);
    assert.equal((await one(`${revealed}:reveal`)).structured.type, 'reveal');
    assert.equal((await one(open)).structured.outcome, null);
  });

  test('an unknown id', async () => {
    await assert.rejects(one('nothing'), new NotFound('no such entry: nothing'));
  });
});
