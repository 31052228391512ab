import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { reading } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { beginWithoutHistory } from '../../store/runtime/history.ts';
import { claim } from '../../store/runtime/job-runs.ts';
import { getStatusHistory } from './get-status-history.ts';

describeStores('GET /api/status-history', (makePlace) => {
  // Two days up to noon; three hours of the night before are missing, and a worker's clock was fast once.
  const missing = { from: NOON - DAY - 6 * HOUR, until: NOON - DAY - 3 * HOUR };
  const store = storeFor(makePlace, (empty) =>
    empty.transaction(async (tx) => {
      for (let slot = NOON - 2 * DAY; slot <= NOON; slot += SLOT)
        if (slot < missing.from || slot >= missing.until) await claim(tx, 'atmosphere', slot, 'a', slot);
      await beginWithoutHistory(tx, NOON - 2 * DAY, NOON - 2 * DAY);
      await claim(tx, 'atmosphere', NOON + 2 * DAY, 'fast', NOON);
      // Another job's gap is no gap of observing.
      await claim(tx, 'reveal', NOON - 2 * DAY, 'a', NOON);
      await writeReadings(tx, [reading({ slot: NOON, gate: null })]);
    }),
  );
  const ask = (now: number) => askOperation(getStatusHistory, store(), now);

  test('the quarter hours that were observed, and the gap between them', async () => {
    const { structured, text } = await ask(NOON + 11 * MINUTE);
    const { days, incidents, ...rest } = structured;
    assert.deepEqual(rest, {
      as_of: iso(NOON + 11 * MINUTE),
      newest_reading_at: iso(NOON),
      reading_age_minutes: 11,
      readings_late: false,
      observing_since: iso(NOON - 2 * DAY),
      history_finished: true,
      history_until: null,
      slots_due: 193,
      slots_run: 181,
      share: 0.9378,
      incident_count: 1,
    });
    assert.deepEqual(incidents, [
      {
        from: iso(missing.from),
        until: iso(missing.until),
        minutes: 180,
        missed_slots: 12,
        missed_readings: 12 * city.pockets.length,
        state: 'red',
      },
    ]);
    assert.deepEqual(
      days.slice(-4).map(({ date, state, share }) => [date, state, share]),
      [
        ['2026-11-08', 'before', null],
        ['2026-11-09', 'green', 1],
        ['2026-11-10', 'red', 0.875],
        ['2026-11-11', 'green', 1],
      ],
    );
    assert.equal(
      text,
      'the newest reading is 11 minutes old. 181 of 193 quarter hours were observed in the last 90 days, with one gap.',
    );
  });

  test('a pipeline that stopped is an incident that lasts', async () => {
    const { readings_late, reading_age_minutes, incidents, days } = (await ask(NOON + 5 * HOUR)).structured;
    assert.deepEqual([readings_late, reading_age_minutes], [true, 300]);
    assert.deepEqual(
      incidents.map(({ from, until, minutes }) => [from, until, minutes]),
      [
        [iso(NOON + SLOT), null, 285],
        [iso(missing.from), iso(missing.until), 180],
      ],
    );
    assert.equal(days.at(-1)?.state, 'red');
  });

  test('a gap that began before the ninety days is whole', async () => {
    const { incidents, days } = (await ask(NOON + 2 * DAY + 89 * DAY)).structured;
    assert.equal(incidents.at(-1)?.from, iso(NOON + SLOT));
    assert.equal(days[0]?.state, 'red');
  });
});
