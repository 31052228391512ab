import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { getPocketDay } from './get-pocket-day.ts';

const slots = (count: number) => Array.from({ length: count }, (_, ago) => NOON - ago * SLOT);

describeStores('GET /api/pocket-day', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    // A day and a quarter, one reading missing; calm is 0.75 throughout.
    const read = slots(116).filter((slot) => slot !== NOON - 3 * SLOT);
    await store.transaction((tx) =>
      writeReadings(
        tx,
        read.map((slot) => reading({ slot, gate: null })),
      ),
    );
    // 24 forecasts that were revealed: twenty expected 0.7, four 0.35.
    const due = slots(30).filter((slot) => slot <= NOON - HOUR && slot !== NOON - 7 * SLOT);
    await writeForecasts(
      store,
      due.slice(0, 24).map((slot, i) => ({ slot, calm: i < 20 ? 0.7 : 0.35, score: 1 })),
    );
    await writeForecasts(store, [
      { slot: NOON, horizon: 60, calm: 0.6 },
      { slot: NOON, horizon: 120, calm: 0.5 },
    ]);
  });
  const ask = (pocket_id: string, now = NOON + MINUTE) =>
    askOperation(getPocketDay, store(), now, { pocket_id });

  test('the readings of 24 hours, oldest first; a missing one is left out', async () => {
    const { readings, reading_count } = (await ask('tiongbahru')).structured;
    assert.equal(reading_count, 95);
    assert.equal(readings.length, 95);
    assert.equal(readings[0]?.captured_at, new Date(NOON - DAY + SLOT).toISOString());
    assert.equal(readings.at(-1)?.captured_at, new Date(NOON).toISOString());
    const late = (await ask('tiongbahru', NOON + 2 * DAY)).structured;
    assert.deepEqual([late.reading_count, late.newest_reading_at], [0, new Date(NOON).toISOString()]);
  });

  test('the forecasts ahead, each with the interval of past errors', async () => {
    const { structured, text } = await ask('tiongbahru');
    const [first, second] = structured.ahead;
    assert.deepEqual(
      [first?.at, first?.minutes_ahead, first?.expected_calm],
      ['2026-11-11T05:00:00.000Z', 60, 0.6],
    );
    // Off by 0.05 twenty times and by 0.4 four times: eight in ten were off by at most 0.05.
    assert.deepEqual(first?.likely, { low: 0.55, high: 0.65, n: 24 });
    assert.equal(second?.likely, null, 'none of that horizon was revealed');
    assert.match(
      text,
      /around 13:00 SGT the calm level may be near 0\.6, likely between 0\.55 and 0\.65 \(n 24\)\./,
    );
  });

  test('a pocket that was not observed', async () => {
    const { structured, text } = await ask('dempsey');
    assert.deepEqual(structured, {
      pocket_id: 'dempsey',
      as_of: new Date(NOON + MINUTE).toISOString(),
      newest_reading_at: null,
      reading_count: 0,
      readings: [],
      ahead: [],
    });
    assert.equal(text, 'dempsey was not observed in the last 24h.');
  });
});
