import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { canonicalJson } from '../../ledger/canonical-json.ts';
import { getPocketPredictions } from './get-pocket-predictions.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const made: ForecastFixture[] = [
  { slot: noon - 8 * DAY, score: 0.2, error: 'weather_miss' },
  { slot: noon - 7 * DAY, score: 0.9 },
  { slot: noon - 7 * DAY + SLOT, score: 1 },
  { slot: noon - 2 * DAY, score: 0.5 },
  { slot: noon - 2 * DAY, generator: 'quiet_window_60m', type: 'quiet_window', score: 0.25 },
  { pocket: 'dempsey', slot: noon - DAY, score: 0.4, confidence: 0.3, error: 'timing_miss' },
  { slot: noon - 5 * HOUR, score: null },
  { slot: noon - 2 * HOUR, horizon: 120, score: 0.75 },
  { slot: noon - 2 * HOUR, horizon: 180 },
  { slot: noon },
];

describeStores('get_pocket_predictions', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeForecasts(store, made));
  const ask = (given: Record<string, unknown> = {}, now = noon) =>
    askOperation(getPocketPredictions, store(), now, given);

  test('a week of the network, newest first', async () => {
    const { structured, text } = await ask();
    const { entries, ...rest } = structured;
    assert.deepEqual(rest, {
      count: 8,
      window: '7d',
      inconclusive_count: 1,
      pending_count: 2,
      accuracy_by_generator: [
        { generator: 'pocket_projection_60m', n: 3, accuracy: 0.667 },
        { generator: 'pocket_projection_120m', n: 1, accuracy: 1 },
        { generator: 'quiet_window_60m', n: 1, accuracy: 0 },
      ],
    });
    assert.equal(entries.length, 8);
    const sealed = entries.map(({ sealed_at }) => sealed_at);
    assert.deepEqual(sealed, sealed.toSorted().reverse());
    assert.match(
      text,
      /^all pockets, sealed over the last 7d: 8 forecasts, 8 listed; 2 pending, 1 inconclusive\./,
    );
    assert.match(text, /pocket_projection_60m 0\.667 of 3/);
    assert.match(
      text,
      /tiongbahru pocket_projection_60m for 13:00 SGT: calm-social, confidence 0\.75; pending\./,
    );
    const [newest] = entries;
    const [, proof, stated, canonical = ''] =
      /are at (\S+) and its payload_hash, (\S+), is the sha-256 of its sealed text: '([^']+)'\./.exec(text) ??
      [];
    assert.deepEqual([proof, stated], [newest?.proof_url, newest?.payload_hash]);
    assert.equal(`sha256:${hash('sha256', canonical, 'hex')}`, newest?.payload_hash);
  });

  test('an entry, before and after its hour', async () => {
    const { entries } = (await ask()).structured;
    const [open] = entries;
    assert.deepEqual(Object.keys(open ?? {}), [
      ...['id', 'pocket_id', 'generator', 'prediction_key', 'sealed_at', 'reveal_at', 'revealed'],
      ...['prediction_payload', 'accuracy_score', 'payload_hash', 'proof_url'],
    ]);
    assert.equal(open?.id, 'tiongbahru-20261111T0400Z.pocket_projection_60m');
    assert.equal(open?.proof_url, `https://pocketwatch.test/api/ledger/proof/${open?.id}`);
    assert.deepEqual([open?.revealed, open?.accuracy_score], [false, null]);
    const scored = entries.find(({ generator }) => generator === 'pocket_projection_120m');
    assert.deepEqual(scored?.actual_observation, { primary_state: 'calm-social', calm: 0.7 });
    assert.deepEqual([scored?.revealed, scored?.accuracy_score], [true, 0.75]);
    const inconclusive = entries.find(({ sealed_at }) => sealed_at === '2026-11-10T23:00:00.000Z');
    assert.deepEqual(
      [inconclusive?.revealed, inconclusive?.actual_observation, inconclusive?.accuracy_score],
      [true, null, null],
    );
  });

  test('the hash is that of the payload as canonical JSON', async () => {
    for (const { prediction_payload, payload_hash } of (await ask({ since: 'all' })).structured.entries) {
      const digest = createHash('sha256').update(canonicalJson(prediction_payload)).digest('hex');
      assert.equal(payload_hash, `sha256:${digest}`);
    }
  });

  test('accuracy is over all that the filter selects, however few are listed', async () => {
    const { count, entries, accuracy_by_generator } = (await ask({ limit: 1 })).structured;
    assert.deepEqual([count, entries.length], [8, 1]);
    assert.deepEqual(accuracy_by_generator, (await ask()).structured.accuracy_by_generator);
  });

  test('filters: pocket, generator in both spellings, revealed, since', async () => {
    const count = async (given: object) => {
      const { count, entries } = (await ask({ limit: 500, ...given })).structured;
      assert.equal(entries.length, count);
      return count;
    };
    assert.equal(await count({ pocket_id: 'dempsey' }), 1);
    assert.equal(await count({ pocket_id: 'siglap' }), 0);
    assert.equal(await count({ generator: 'quiet_window_60m' }), 1);
    assert.equal(await count({ generator: 'quiet-window-60m' }), 1);
    assert.equal(await count({ generator: 'pocket-projection-60m', pocket_id: 'tiongbahru' }), 4);
    assert.equal(await count({ generator: 'tea_leaves' }), 0);
    assert.equal(await count({ revealed_only: true }), 6);
    assert.equal(await count({ revealed_only: true, pocket_id: 'tiongbahru' }), 5);
    assert.equal(await count({ since: 'all' }), 10);
    assert.equal(await count({ since: '30d' }), 10);
    assert.equal(await count({ since: '1d' }), 4);
    assert.equal(await count({ since: '1h' }), 1);
  });

  test('nothing to average gives null', async () => {
    const { accuracy_by_generator } = (await ask({ since: '1d', generator: 'pocket_projection_60m' }))
      .structured;
    assert.deepEqual(accuracy_by_generator, [{ generator: 'pocket_projection_60m', n: 0, accuracy: null }]);
    assert.equal((await ask({ since: '1h' })).structured.accuracy_by_generator.length, 0);
  });

  test('refusals are worded as the interface fixes them', async () => {
    await assert.rejects(ask({ since: '2d' }), { message: 'since must be one of 1h, 1d, 7d, 30d, all' });
    for (const limit of [0, 501]) await assert.rejects(ask({ limit }), { message: 'limit must be 1-500' });
  });

  test('a hostile name is data to the statement, never SQL', async () => {
    for (const name of ["' or 1=1 --", '%', '__proto__', 'TIONGBAHRU']) {
      const { structured, text } = await ask({ pocket_id: name });
      assert.deepEqual([structured.count, structured.entries], [0, []]);
      assert.match(text, /no forecasts\.$/);
      assert.equal((await ask({ generator: name })).structured.count, 0);
    }
  });
});
