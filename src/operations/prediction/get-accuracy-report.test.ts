import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type ForecastFixture, writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR } from '../../domain/time/sgt.ts';
import type { AnswerOf } from '../core/define.ts';
import { getAccuracyReport } from './get-accuracy-report.ts';

const quiet = { generator: 'quiet_window_60m', type: 'quiet_window' } as const;
const made: ForecastFixture[] = [
  { slot: NOON - 31 * DAY, score: 0, error: 'timing_miss' },
  { slot: NOON - 20 * DAY, score: 0.9, baseline: 0.6 },
  { slot: NOON - 20 * DAY + HOUR, score: 0.3, confidence: 0.95, error: 'weather_miss' },
  { pocket: 'dempsey', slot: NOON - 3 * DAY, score: 1, confidence: 0.95 },
  { ...quiet, slot: NOON - 2 * DAY, score: 0.8 },
  { ...quiet, slot: NOON - 5 * HOUR, score: null },
  { slot: NOON - 4 * HOUR, score: 0, confidence: 0.67, error: 'footfall_miss' },
  { slot: NOON - 4 * HOUR, horizon: 120, score: 0, completeness: 0.7, error: 'freshness_miss' },
  { slot: NOON - 3 * HOUR, score: 0, shadow: true, error: 'timing_miss' },
  { slot: NOON },
];

describeStores('get_accuracy_report', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeForecasts(store, made));
  const ask = (given: Record<string, unknown> = {}, now = NOON) =>
    askOperation(getAccuracyReport, store(), now, given);

  test('a month of high confidence, beside the baseline', async () => {
    const { structured, text } = await ask();
    const { calibration, error_taxonomy, ...rest } = structured;
    assert.deepEqual(rest, {
      window: '30d',
      pocket_id: null,
      filter: { min_confidence: 0.68, min_completeness: 0.75, include_shadow: false, prediction_type: null },
      headline: { overall_accuracy: 0.75, revealed_count: 4, inconclusive_count: 1 },
      baseline: { baseline_accuracy: 0.25, gap_vs_service: -0.5 },
      by_type: [
        { prediction_type: 'quiet_window', accuracy: 1, count: 1 },
        { prediction_type: 'other', accuracy: 0.667, count: 3 },
      ],
      by_pocket: [
        { pocket_id: 'dempsey', accuracy: 1, count: 1 },
        { pocket_id: 'tiongbahru', accuracy: 0.667, count: 3 },
      ],
      // No moment was read when these were sealed, so there is nothing to weigh them by.
      weighted_by_mqs: { accuracy: null },
    });
    assert.deepEqual(
      calibration.filter(({ predictions }) => predictions),
      [
        { bucket: '0.7-0.8', predictions: 2, observed_accuracy: 1, delta: 0.25 },
        { bucket: '0.9-1.0', predictions: 2, observed_accuracy: 0.5, delta: -0.45 },
      ],
    );
    assert.deepEqual(
      error_taxonomy.find(({ count }) => count),
      { type: 'weather_miss', count: 1 },
    );
    assert.match(
      text,
      /confidence from 0\.68 and completeness from 0\.75, those on trial left out: 0\.75 of 4 came true, 1 inconclusive/,
    );
    assert.match(text, /the naive baseline reached 0\.25 \(gap -0\.5\)/);
    assert.match(text, /misses: 1 weather_miss\.$/);
  });

  test('filters', async () => {
    const count = async (given: object) => (await ask({ ...given })).structured.headline.revealed_count;
    assert.equal(await count({ since: 'all' }), 5);
    assert.equal(await count({ since: '7d' }), 2);
    assert.equal(await count({ since: '1d' }), 0);
    assert.equal(await count({ since: '1d', include_shadow: true }), 1);
    assert.equal(await count({ pocket_id: 'dempsey' }), 1);
    assert.equal(await count({ prediction_type: 'quiet_window' }), 1);
    assert.equal(await count({ prediction_type: 'rain_comfort' }), 0);
  });

  test('nothing eligible gives nulls', async () => {
    for (const given of [{ since: '1h' }, { pocket_id: 'atlantis' }]) {
      const { structured, text } = await ask(given);
      assert.deepEqual(structured.headline, {
        overall_accuracy: null,
        revealed_count: 0,
        inconclusive_count: 0,
      });
      assert.deepEqual(structured.baseline, { baseline_accuracy: null, gap_vs_service: null });
      assert.match(text, /none has been scored yet/);
    }
  });

  test('what is refused', async () => {
    await assert.rejects(ask({ since: '14d' }), { message: 'since must be one of 1h, 1d, 7d, 30d, all' });
    await assert.rejects(
      ask({ prediction_type: 'weather' }),
      /^Error: prediction_type must be one of quiet_window,/,
    );
  });
});

test('over HTTP a flag is 1', async (t) => {
  const { url, store } = await startService(t, { days: 0 });
  await writeForecasts(store, made);
  const get = async (query: string) =>
    (await (await fetch(`${url}/api/accuracy${query}`)).json()) as AnswerOf<typeof getAccuracyReport>;
  assert.equal((await get('?since=1d&include_shadow=1')).headline.revealed_count, 1);
  assert.equal((await get('?pocket_id=dempsey')).headline.revealed_count, 1);
  assert.equal((await get('')).headline.revealed_count, 4);
});
