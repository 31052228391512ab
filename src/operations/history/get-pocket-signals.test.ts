import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { getPocketSignals } from './get-pocket-signals.ts';

describeStores('GET /api/pocket-signals', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      { slot: NOON - HOUR, gate: 'voice', values: { rain_mm: 1, footfall: 400 } },
      { slot: NOON - HOUR + SLOT, gate: 'voice', values: { rain_mm: 0.5, footfall: 600 } },
      { slot: NOON, gate: 'voice', values: { footfall: 3 } },
      { slot: NOON - DAY, gate: 'voice', values: { temperature_c: 31 } },
    ]),
  );
  const ask = (given: { date?: string } = {}) =>
    askOperation(getPocketSignals, store(), NOON + MINUTE, { pocket_id: 'tiongbahru', ...given });

  test('the hours of the last day up to now, and no count under five', async () => {
    const { hours, measured, to } = (await ask()).structured;
    assert.equal(hours.length, 24);
    assert.equal(to, '2026-11-11T04:15:00.000Z');
    assert.deepEqual(hours.at(-2), {
      at: '2026-11-11T03:00:00.000Z',
      rain_mm: 1.5,
      temperature_c: 28.5,
      traffic_speed_kmh: 40,
      people: 500,
      crowd: null,
    });
    assert.deepEqual([hours.at(-1)?.people, hours.at(-1)?.crowd], [null, null]);
    assert.deepEqual(measured, ['rain_mm', 'temperature_c', 'traffic_speed_kmh', 'people']);
  });

  test('a day', async () => {
    const { hours, from, to } = (await ask({ date: '2026-11-10' })).structured;
    assert.deepEqual([from, to], ['2026-11-09T16:00:00.000Z', '2026-11-10T16:00:00.000Z']);
    assert.deepEqual([hours.length, hours[12]?.temperature_c], [24, 31]);
  });
});
