import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { claim } from '../../store/runtime/job-runs.ts';
import { getChangelog } from './get-changelog.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const midnight = Date.parse('2026-11-11T00:00:00Z');

const made: DecisionFixture[] = [
  { slot: midnight - DAY, gate: 'resonance' },
  { slot: midnight - SLOT, gate: null },
  { pocket: 'dempsey', slot: midnight - SLOT, gate: null, tier: 'experience' },
  { pocket: 'dempsey', slot: midnight - 2 * HOUR, gate: null },
  { slot: midnight, gate: 'why_now' },
  { slot: noon, gate: null },
  { slot: noon + SLOT, gate: null },
];

describeStores('get_changelog', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, made);
    await writeForecasts(store, [
      { slot: midnight - HOUR, score: 0.5 },
      { slot: midnight - HOUR - SLOT, score: 1 },
      { slot: midnight - 3 * HOUR, horizon: 180, score: 0.75 },
      { slot: midnight - 3 * HOUR, score: null },
      { slot: midnight - 2 * HOUR, score: 0, shadow: true },
      { slot: midnight },
    ]);
    await writeEventFixtures(store, [
      { slot: midnight - SLOT, value_cents: 250 },
      { slot: midnight, value_cents: 100 },
      { slot: noon, value_cents: 5 },
    ]);
    await store.transaction(async (tx) => {
      for (const slot of [midnight - DAY, midnight - 2 * HOUR, midnight - SLOT, midnight, noon, noon + SLOT])
        await claim(tx, 'atmosphere', slot, 'test', slot);
      await claim(tx, 'rollup', midnight - 3 * DAY, 'test', midnight);
    });
  });
  const ask = (given: Record<string, unknown> = {}, now = noon) =>
    askOperation(getChangelog, store(), now, given);

  test('an entry for each day of UTC, newest first', async () => {
    const { structured, text } = await ask({ days: 3 });
    assert.deepEqual(structured.entries, [
      {
        date: '2026-11-11',
        atmosphere_readings: 2,
        slots_due: 17,
        slots_run: 2,
        pockets_read: 1,
        readings_missing: 0,
        narrations_surfaced: 1,
        notifications_deferred: 1,
        already_speaking_count: 0,
        quiet_hours_count: 0,
        surfaced_ratio: 0.5,
        predictions_sealed: 1,
        predictions_revealed: 2,
        mean_accuracy: 0.625,
        sustainability_sgd: 1.05,
        sustainability_amount: 1.05,
        currency: 'SGD',
        top_pocket: { pocket_id: 'tiongbahru', count: 1 },
        waking_time: { minutes_said: 15, minutes_silent: 15, share_said: 0.5 },
      },
      {
        date: '2026-11-10',
        atmosphere_readings: 4,
        slots_due: 96,
        slots_run: 3,
        pockets_read: 2,
        readings_missing: 2,
        narrations_surfaced: 3,
        notifications_deferred: 1,
        already_speaking_count: 0,
        quiet_hours_count: 0,
        surfaced_ratio: 0.75,
        predictions_sealed: 4,
        predictions_revealed: 1,
        mean_accuracy: 1,
        sustainability_sgd: 2.5,
        sustainability_amount: 2.5,
        currency: 'SGD',
        top_pocket: { pocket_id: 'dempsey', count: 2 },
        waking_time: { minutes_said: 45, minutes_silent: 15, share_said: 0.75 },
      },
      {
        date: '2026-11-09',
        atmosphere_readings: 0,
        slots_due: 0,
        slots_run: 0,
        pockets_read: 0,
        readings_missing: 0,
        narrations_surfaced: 0,
        notifications_deferred: 0,
        already_speaking_count: 0,
        quiet_hours_count: 0,
        surfaced_ratio: null,
        predictions_sealed: 0,
        predictions_revealed: 0,
        mean_accuracy: null,
        sustainability_sgd: 0,
        sustainability_amount: 0,
        currency: 'SGD',
        top_pocket: null,
        waking_time: { minutes_said: 0, minutes_silent: 0, share_said: null },
      },
    ]);
    assert.deepEqual(text.split('\n'), [
      'today so far (UTC): 2 readings of 1 pocket in 2 of 17 quarter hours (15 quarter hours were not observed); 1 said and 1 held back; 1 forecast sealed, 2 revealed.',
      '2026-11-10 UTC: 4 readings of 2 pockets in 3 of 96 quarter hours (93 quarter hours were not observed and 2 readings are missing, where too little of a pocket was observed); 3 said and 1 held back; 4 forecasts sealed, 1 revealed.',
      '2026-11-09 UTC: 0 readings of 0 pockets (no quarter hour was due); 0 said and 0 held back; 0 forecasts sealed, 0 revealed.',
      'today a line was live for 50.0\u00a0% of waking time: 15 minutes said, 15 minutes silent.',
    ]);
  });

  test('the present quarter hour is due once it is late, or has run', async () => {
    const today = async (now: number) => (await ask({ days: 1 }, now)).structured.entries[0];
    const slots = async (now: number) => {
      const entry = await today(now);
      return [entry?.slots_run, entry?.slots_due];
    };
    assert.deepEqual(await slots(noon - SLOT + MINUTE), [1, 15]);
    assert.deepEqual(await slots(noon - SLOT + 11 * MINUTE), [1, 16]);
    assert.deepEqual(await slots(noon), [2, 17]);
  });

  test('fourteen days unless others are asked for', async () => {
    assert.equal((await ask()).structured.entries.length, 14);
    assert.equal((await ask({ days: 90 })).structured.entries.at(-1)?.date, '2026-08-14');
    const empty = await ask({ days: 1 }, noon - 60 * DAY);
    assert.equal(empty.structured.entries[0]?.date, '2026-09-12');
  });
});
