import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { getSilenceCounts } from '../decision/get-silence-counts.ts';
import { getPocketCalendar } from './get-pocket-calendar.ts';

describeStores('GET /api/pocket-calendar', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    const calms = [
      [NOON - HOUR, 0.5],
      [NOON - HOUR + SLOT, 0.6],
      [NOON, 0.75],
      // In another hour by now, but ahead of the clock of the question.
      [NOON + SLOT, 0.25],
      [NOON - 3 * DAY, 0.3],
    ] as const;
    await store.transaction((tx) =>
      writeReadings(
        tx,
        calms.map(([slot, calm]) => ({ ...reading({ slot, gate: null }), calm })),
      ),
    );
    await writeDecisions(store, [
      { pocket: 'dempsey', slot: NOON, gate: 'resonance' },
      { pocket: 'dempsey', slot: NOON - 7 * DAY + SLOT, gate: 'voice' },
      { pocket: 'dempsey', slot: NOON - 7 * DAY, gate: 'why_now' },
      { pocket: 'dempsey', slot: NOON - DAY, gate: null, pause: 'quiet_hours' },
      { pocket: 'dempsey', slot: NOON - SLOT, gate: null, pause: 'already_speaking' },
      { pocket: 'holland', slot: NOON, gate: 'resonance' },
    ]);
  });

  test('the mean calm of every hour of the weeks, by the local clock; null where nothing was read', async () => {
    const { structured, text } = await askOperation(getPocketCalendar, store(), NOON + MINUTE, {
      pocket_id: 'tiongbahru',
      weeks: 1,
    });
    assert.deepEqual(
      structured.days.map(({ date }) => date),
      ['05', '06', '07', '08', '09', '10', '11'].map((day) => `2026-11-${day}`),
    );
    const today = structured.days[6];
    assert.equal(today?.weekday, 'wednesday');
    assert.deepEqual(today?.calm.slice(10, 14), [null, 0.55, 0.75, null]);
    assert.equal(structured.days[3]?.calm[12], 0.3);
    assert.equal(text, 'tiongbahru: 7 days, of which 3 hours were read.');
  });

  test('the silences of the last week are those that /api/silence counts for the pocket', async () => {
    const { structured } = await askOperation(getPocketCalendar, store(), NOON, { pocket_id: 'dempsey' });
    const { last_week } = structured;
    assert.deepEqual(last_week, {
      silence_count: 2,
      already_speaking_count: 1,
      quiet_hours_count: 1,
      waking_time: { minutes_said: 15, minutes_silent: 30, share_said: 0.333 },
    });
    const counts = await askOperation(getSilenceCounts, store(), NOON, { window: '7d' });
    const own = counts.structured.per_pocket.find(({ pocket_id }) => pocket_id === 'dempsey');
    const { count: silence_count, already_speaking_count, quiet_hours_count, waking_time } = own ?? {};
    assert.deepEqual(last_week, { silence_count, already_speaking_count, quiet_hours_count, waking_time });
  });
});
