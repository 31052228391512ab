import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { getNotebook } from './get-notebook.ts';

const october = Date.parse('2026-10-01T00:00:00+08:00');
const november = Date.parse('2026-11-01T00:00:00+08:00');
const now = november + 2 * HOUR;

describeStores('get_notebook', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: october - SLOT, gate: 'resonance' },
      { slot: october, gate: 'resonance' },
      { pocket: 'dempsey', slot: november - SLOT, gate: 'resonance' },
      { slot: november, gate: 'resonance' },
    ]);
    const odd = { ...reading({ slot: november - 2 * SLOT, gate: null }), anomaly_flag: true };
    await store.transaction((tx) => writeReadings(tx, [odd]));
    await writeForecasts(store, [
      { slot: october - SLOT, score: 0 },
      { slot: october, score: 0.5 },
      { slot: november - 4 * HOUR, score: null },
      { slot: november - 4 * HOUR, score: 1, shadow: true, generator: 'on_trial' },
      { pocket: 'dempsey', slot: november - HOUR, score: 1 },
      { slot: november - SLOT, horizon: 180 },
      { slot: november },
    ]);
    await writeEventFixtures(store, [
      { slot: october, value_cents: 1 },
      { pocket_id: 'dempsey', slot: november - SLOT, value_cents: 1_000 },
      { slot: november, value_cents: 7 },
    ]);
  });
  const ask = (given: Record<string, unknown>) => askOperation(getNotebook, store(), now, given);

  test('a month of the whole network', async () => {
    const { structured, text } = await ask({ month: '2026-10' });
    assert.deepEqual(structured, {
      month: '2026-10',
      pocket_id: null,
      atmosphere: { total_readings: 3, anomalies: 1 },
      predictions: { total_sealed: 4, revealed: 2, inconclusive_count: 1, mean_accuracy: 0.75 },
      sustainability: { total_events: 2, dollar_value_total: 10.01, currency: 'SGD' },
    });
    assert.equal(
      text,
      '2026-10: 3 readings, 1 of them unusual; 4 forecasts sealed, 2 scored, mean accuracy 0.75; over 2 events about SGD 10.01 was kept from being wasted, as inferred.',
    );
  });

  test('of one pocket, of a month that is not over, and of one that has not begun', async () => {
    assert.deepEqual((await ask({ month: '2026-10', pocket_id: 'dempsey' })).structured, {
      month: '2026-10',
      pocket_id: 'dempsey',
      atmosphere: { total_readings: 1, anomalies: 0 },
      predictions: { total_sealed: 1, revealed: 1, inconclusive_count: 0, mean_accuracy: 1 },
      sustainability: { total_events: 1, dollar_value_total: 10, currency: 'SGD' },
    });
    const nothing = {
      atmosphere: { total_readings: 0, anomalies: 0 },
      predictions: { total_sealed: 0, revealed: 0, inconclusive_count: 0, mean_accuracy: null },
      sustainability: { total_events: 0, dollar_value_total: 0, currency: 'SGD' },
    };
    assert.deepEqual((await ask({ month: '2026-11' })).structured, {
      month: '2026-11',
      pocket_id: null,
      atmosphere: { total_readings: 1, anomalies: 0 },
      predictions: { total_sealed: 1, revealed: 0, inconclusive_count: 0, mean_accuracy: null },
      sustainability: { total_events: 1, dollar_value_total: 0.07, currency: 'SGD' },
    });
    for (const month of ['2026-12', '0001-01', '9999-12'])
      assert.deepEqual((await ask({ month })).structured, { month, pocket_id: null, ...nothing });
  });

  test('a malformed month is refused', async () => {
    for (const month of ['2026-00', '2026-13', '2026-1', '2026-10-01', '2026-10\n'])
      await assert.rejects(ask({ month }), /^Error: month must be a month such as 2026-03/);
  });
});
