import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { emptyHourNorm, updateHourNorm } from '../../domain/atmosphere/anomaly.ts';
import { HOUR, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeNorms } from '../../store/observation/norms.ts';
import { getCalmCalendar } from './get-calm-calendar.ts';

const calmState = (calm: number) => (calm >= 0.55 ? 'calm-social' : 'busy-productive');

/** Eight readings of this calm level: enough to be usual. */
const usually = (calm: number) =>
  Array.from({ length: 8 }).reduce<typeof emptyHourNorm>(
    (norm) => updateHourNorm(norm, { stress: 1 - calm, calm, primary_state: calmState(calm) }, null),
    emptyHourNorm,
  );

describeStores('GET /api/calm-calendar', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: NOON, gate: 'why_now', moment: { calm_probability: 0.3, window_ends_at: null } },
    ]);
    await writeForecasts(store, [
      { slot: NOON - SLOT, horizon: 60, calm: 0.99 },
      { slot: NOON, horizon: 60, calm: 0.3 },
      { slot: NOON, horizon: 120, calm: 0.92 },
      { slot: NOON, horizon: 180, calm: 0.95 },
    ]);
    await store.transaction(async (tx) => {
      for (const [hours, calm] of [
        // Covered by a forecast, so not listed today.
        [2, 0.9],
        [4, 0.6],
        [5, 0.7],
        [7, 0.5],
      ] as const)
        await writeNorms(
          tx,
          singapore.hourOfWeek(NOON + hours * HOUR),
          new Map([['tiongbahru', usually(calm)]]),
        );
    });
  });
  const ask = (pocket_id: string, now = NOON + MINUTE) =>
    askOperation(getCalmCalendar, store(), now, { pocket_id });

  test('sealed forecasts first, then usual hours, told apart', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      as_of: iso(NOON),
      forecast_until: iso(NOON + 3 * HOUR),
      windows: [
        {
          basis: 'forecast',
          starts_at: iso(NOON + 2 * HOUR),
          ends_at: iso(NOON + 3 * HOUR),
          at_least: true,
          calm_probability: 0.92,
          held_share: 0.962,
        },
        {
          basis: 'usual',
          starts_at: iso(NOON + 4 * HOUR),
          ends_at: iso(NOON + 6 * HOUR),
          at_least: false,
          calm_probability: 1,
          held_share: 0.95,
        },
      ],
    });
    assert.equal(
      text,
      'tiongbahru is likely calm on 2026-11-11 from 14:00 to at least 15:00 SGT, calm probability 0.92.',
    );
  });

  test('once the forecasts are old, what is usual is listed from now on', async () => {
    const { structured, text } = await ask('tiongbahru', NOON + 2 * HOUR);
    assert.equal(structured.forecast_until, null);
    assert.deepEqual(structured.windows.map(({ basis, starts_at }) => [basis, starts_at])[0], [
      'usual',
      iso(NOON + 2 * HOUR),
    ]);
    assert.match(text, /usually calm on 2026-11-11 from 14:00 to 15:00 SGT; this is not a forecast/);
  });

  test('a pocket of which nothing is known has no windows', async () => {
    const { structured, text } = await ask('dempsey');
    assert.deepEqual([structured.forecast_until, structured.windows], [null, []]);
    assert.equal(text, 'no calm window of dempsey is likely or usual in the next week.');
  });
});
