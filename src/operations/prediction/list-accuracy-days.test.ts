import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { listAccuracyDays } from './list-accuracy-days.ts';

/** Midnight in Singapore, half a day before noon. */
const midnight = NOON - 12 * HOUR;

describeStores('GET /api/accuracy-days', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeForecasts(store, [
      { slot: midnight - DAY - SLOT, score: 0 },
      { slot: midnight - DAY, score: 1, baseline: 1 },
      { slot: midnight - HOUR, score: 0.2 },
      { slot: midnight - SLOT, score: 0.9 },
      // Not counted, as in the report: too little confidence, on trial, inconclusive.
      { slot: midnight - 2 * SLOT, score: 0, confidence: 0.5 },
      { slot: midnight - 3 * SLOT, score: 0, shadow: true },
      { slot: midnight - 4 * SLOT, score: null, pocket: 'siglap' },
      { slot: midnight, score: 1 },
    ]),
  );
  const ask = (days: number) => askOperation(listAccuracyDays, store(), NOON + MINUTE, { days });

  test('each day by itself, by the time of sealing in Singapore', async () => {
    const { structured, text } = await ask(4);
    assert.deepEqual(
      structured.days.map(({ waking_hours: _waking, nights: _nights, ...day }) => day),
      [
        { date: '2026-11-08', accuracy: null, baseline_accuracy: null, count: 0 },
        { date: '2026-11-09', accuracy: 0, baseline_accuracy: 0, count: 1 },
        { date: '2026-11-10', accuracy: 0.667, baseline_accuracy: 0.333, count: 3 },
        { date: '2026-11-11', accuracy: 1, baseline_accuracy: 0, count: 1 },
      ],
    );
    // All are for a time around midnight.
    for (const { waking_hours, nights, accuracy, count } of structured.days)
      assert.deepEqual([waking_hours.n, nights.n, nights.accuracy], [0, count, accuracy]);
    assert.equal(
      text,
      'forecasts were scored on 3 of 4 days; on 2 of them they did better than the naive baseline.',
    );
  });

  test('today alone', async () => {
    assert.deepEqual(
      (await ask(1)).structured.days.map(({ date }) => date),
      ['2026-11-11'],
    );
  });
});
