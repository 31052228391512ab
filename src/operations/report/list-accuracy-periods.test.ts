import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { listAccuracyPeriods } from './list-accuracy-periods.ts';

// Noon of Wednesday, 11 November 2026.
describeStores('GET /api/accuracy-periods', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(store, [
      { slot: NOON - 14 * DAY, score: 1, confidence: 0.8 },
      { slot: NOON - 3 * DAY, score: 0, baseline: 1, confidence: 0.5 },
      { slot: NOON - 2 * DAY, score: 1, confidence: 0.7 },
      { slot: NOON - SLOT, score: 1, confidence: 0.9, pocket: 'dempsey' },
      // Neither a state forecast nor, on trial, a forecast that counts.
      { slot: NOON - SLOT, score: 0, type: 'quiet_window', generator: 'quiet_window_60m', confidence: 0.7 },
      { slot: NOON - SLOT, score: 0, shadow: true },
    ]),
  );
  const ask = (given: object) => askOperation(listAccuracyPeriods, store(), NOON, { ...given });

  test('all state forecasts of each week, and the confident ones of every kind beside them', async () => {
    const { structured, text } = await ask({ period: 'week', count: 3 });
    assert.deepEqual(
      structured.periods.map(({ name, state_forecasts: s, confident_forecasts: c }) => [
        name,
        [s.n, s.accuracy, s.baseline, s.brier_score],
        [c.n, c.accuracy],
      ]),
      [
        ['2026-W44', [1, 1, 0, 0.04], [1, 1]],
        // Sunday 8 November is the last day of its week.
        ['2026-W45', [1, 0, 1, 0.25], [0, null]],
        ['2026-W46', [2, 1, 0, 0.05], [3, 0.667]],
      ],
    );
    assert.deepEqual(
      [structured.periods[2]?.from, structured.periods[2]?.to],
      ['2026-11-08T16:00:00.000Z', '2026-11-11T04:15:00.000Z'],
    );
    assert.equal(
      text,
      'state forecasts were scored in 3 of 3 weeks; in 0 of them they did better than the same hour last week, in 2 better than the naive baseline.',
    );
  });

  test('days and months, of one pocket; a period without forecasts is a gap', async () => {
    const figures = async (given: object) =>
      (await ask(given)).structured.periods.map(({ name, state_forecasts: { n, accuracy } }) => [
        name,
        n,
        accuracy,
      ]);
    assert.deepEqual(await figures({ period: 'day', count: 2, pocket_id: 'dempsey' }), [
      ['2026-11-10', 0, null],
      ['2026-11-11', 1, 1],
    ]);
    assert.deepEqual(await figures({ period: 'month', count: 2 }), [
      ['2026-10', 1, 1],
      ['2026-11', 3, 0.667],
    ]);
  });
});
