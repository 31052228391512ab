import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { claim } from '../../store/runtime/job-runs.ts';
import type { AnswerOf } from '../core/define.ts';
import { listPredictions } from './list-predictions.ts';

const made: ForecastFixture[] = [
  { slot: NOON - DAY, score: 1 },
  { pocket: 'dempsey', slot: NOON - DAY + SLOT, score: 0.25 },
  { slot: NOON - 5 * HOUR, score: null },
  { slot: NOON - SLOT },
  { slot: NOON },
];

describeStores('list_predictions', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeForecasts(store, made));
  const ask = async (given: Record<string, unknown> = {}) =>
    (await askOperation(listPredictions, store(), NOON, given)).structured;

  test('entries with their hashes, and stats over all of them', async () => {
    const { entries, ...rest } = await ask({ limit: 2 });
    assert.deepEqual(rest, {
      count: 5,
      inconclusive_count: 1,
      pending_count: 2,
      window: '7d',
      revealed: 'both',
      accuracy_by_generator: [{ generator: 'pocket_projection_60m', n: 2, accuracy: 0.5 }],
      stats: {
        by_generator: [{ generator: 'pocket_projection_60m', n: 2, accuracy: 0.5 }],
        mean_accuracy: 0.625,
      },
    });
    assert.equal(entries.length, 2);
    for (const { payload_hash } of entries) assert.match(payload_hash, /^sha256:[0-9a-f]{64}$/);
  });

  test('those revealed, those pending, or both', async () => {
    for (const [revealed, count] of [
      ['only', 3],
      ['pending', 2],
      ['both', 5],
    ] as const) {
      const answer = await ask({ revealed });
      assert.deepEqual([answer.count, answer.entries.length], [count, count], revealed);
      if (revealed !== 'both')
        for (const row of answer.entries) assert.equal(row.revealed, revealed === 'only');
    }
    const { stats } = await ask({ revealed: 'pending' });
    assert.deepEqual(stats, { by_generator: [], mean_accuracy: null });
  });

  test('a reveal that ran for a slot of the future hides nothing that is pending', async () => {
    await store().transaction((tx) => claim(tx, 'reveal', NOON + 26 * HOUR, 'fast', NOON + 26 * HOUR));
    assert.equal((await ask({ revealed: 'pending' })).count, 2);
  });
});

test('over HTTP', async (t) => {
  const { url, store } = await startService(t, { days: 0 });
  await writeForecasts(store, made);
  const get = async (query: string) => {
    const response = await fetch(`${url}/api/predictions${query}`);
    return {
      status: response.status,
      body: (await response.json()) as AnswerOf<typeof listPredictions> & { error?: string },
    };
  };
  const { status, body } = await get('?pocket=dempsey&since=7d&revealed=only');
  assert.deepEqual([status, body.count, body.entries.length], [200, 1, 1]);
  assert.deepEqual((await get('?revealed=maybe')).body.error, 'revealed must be one of only, pending, both');
  assert.deepEqual((await get('?since=3d')).body.error, 'since must be one of 1h, 1d, 7d, 30d, all');
  assert.deepEqual((await get('?pocket=atlantis')).status, 404);
});
