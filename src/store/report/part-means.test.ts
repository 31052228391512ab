import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecisionFixture, reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeReadings } from '../observation/readings.ts';
import { partMeans } from './part-means.ts';
import { hourlyMeasurements, monthSums } from './reports.ts';

const monday = Date.parse('2026-11-02T00:00:00+08:00');
/** Every quarter hour of a Monday; footfall rises by 100 an hour from 100 at 07:00, and is not measured at 12:00. */
const day = Array.from({ length: 96 }, (_, n): DecisionFixture => {
  const hour = Math.floor(n / 4);
  return {
    slot: monday + n * SLOT,
    gate: 'resonance',
    values: { footfall: hour === 12 ? null : 100 * (hour - 6) },
  };
});

describeStores('rows of reports', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [...day, { slot: monday + 9 * HOUR, pocket: 'atlantis', gate: 'resonance' }]);
    const tuesday = [0.05, 0.95, 0.949].map((calm, n) => ({
      ...reading({ slot: monday + 32 * HOUR + n * SLOT, gate: null }),
      calm,
    }));
    await store.transaction((tx) => writeReadings(tx, tuesday));
  });
  const span = { from: monday, to: monday + 2 * DAY };

  test('means of each part of the waking day, of pockets in the registry', async () => {
    const parts = await partMeans(store(), span, new Set(['tiongbahru']), {
      zone: singapore,
      weekend: [5, 6],
    });
    assert.deepEqual(
      parts.map(({ pocket_id, day, part, readings }) => [pocket_id, (day - monday) / DAY, part, readings]),
      [
        ['tiongbahru', 0, 'morning', 16],
        ['tiongbahru', 0, 'midday', 12],
        ['tiongbahru', 0, 'afternoon', 16],
        ['tiongbahru', 0, 'evening', 20],
        ['tiongbahru', 1, 'morning', 3],
      ],
    );
    // As shares of the peak: the means of 100 to 400, of 500 and 700, of 800 to 1100, of 1200 to 1600.
    assert.deepEqual(
      parts.map(({ signals }) => signals.footfall),
      [0.25, 0.6, 0.95, 1.4, null],
    );
    for (const { calm, productive, social } of parts.slice(0, 4))
      assert.deepEqual([calm, productive, social], [0.75, 0.5, 0.125]);
  });

  test('a month by hour of the week, and its snapshots of full waking hours', async () => {
    const sums = (await monthSums(store(), span, singapore)).get('tiongbahru');
    const hour = (hour_of_week: number) => ({
      ...sums?.hours.find((sum) => sum.hour_of_week === hour_of_week),
    });
    const shared = { pocket_id: 'tiongbahru', anomalies: 0 };
    assert.deepEqual(hour(9), {
      ...shared,
      hour_of_week: 9,
      readings: 4,
      calm: 3000,
      squares: 2_250_000,
      at_end: 0,
    });
    assert.deepEqual(hour(32), {
      ...shared,
      hour_of_week: 32,
      readings: 3,
      calm: 50 + 950 + 949,
      squares: 50 ** 2 + 950 ** 2 + 949 ** 2,
      at_end: 2,
    });
    const values = await hourlyMeasurements(store(), { from: monday, to: monday + DAY }, singapore);
    assert.equal(values.filter(({ pocket_id }) => pocket_id === 'tiongbahru').length, 16);
  });
});
