import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { writeEventFixtures } from '../../../test/support/rows/sustainability.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { getStream } from './get-stream.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

describeStores('get_stream', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon - 40 * DAY, gate: null },
      { slot: noon - 5 * HOUR, gate: null, tier: 'experience' },
      { slot: noon, gate: null },
      { slot: noon, pocket: 'dempsey', gate: 'resonance' },
      { slot: noon + SLOT, gate: null },
    ]);
    await writeForecasts(store, [
      { slot: noon - 30 * DAY, score: 0.9 },
      { slot: noon - 3 * HOUR, horizon: 180, score: 0.25 },
      { slot: noon - HOUR, generator: 'quiet_window_60m', type: 'quiet_window', calm: 0.8, score: 0.2 },
      { slot: noon - 2 * HOUR, pocket: 'dempsey', score: 0.6 },
      { slot: noon - 2 * HOUR, score: null },
      { slot: noon - 2 * HOUR, generator: 'on_trial', score: 1, shadow: true },
      { slot: noon },
    ]);
    await writeEventFixtures(store, [
      { slot: noon - 2 * DAY, value_cents: 1 },
      {
        slot: noon - 2 * HOUR,
        pocket_id: 'dempsey',
        kind: 'idle_reclaimed',
        magnitude: 1.25,
        value_cents: 450,
      },
    ]);
  });
  const ask = async (given: Record<string, unknown> = {}) => {
    const { structured, text } = await askOperation(getStream, store(), noon, given);
    assert.equal(structured.count, structured.events.length);
    const listed = structured.events.map(
      ({ type, timestamp, pocket_id }) => `${(Date.parse(timestamp) - noon) / HOUR} ${type} ${pocket_id}`,
    );
    return { structured, text, listed };
  };

  test('the last day, three kinds of event, newest first, each with its fields', async () => {
    const { structured, text } = await ask();
    const { events, ...rest } = structured;
    assert.deepEqual(rest, { since: '24h', pocket_id: null, count: 6 });
    assert.deepEqual(events, [
      {
        type: 'narration',
        timestamp: '2026-11-11T04:00:00.000Z',
        id: 'tiongbahru-20261111T0400Z',
        pocket_id: 'tiongbahru',
        tier: 'atmosphere',
        body: 'a quiet hour; calmer than usual; until about quarter to one.',
      },
      {
        type: 'prediction',
        timestamp: '2026-11-11T04:00:00.000Z',
        id: 'tiongbahru-20261111T0300Z.quiet_window_60m',
        pocket_id: 'tiongbahru',
        generator: 'quiet_window_60m',
        expected: 0.8,
        actual: 'calm-social',
        accuracy: 0.2,
      },
      {
        type: 'prediction',
        timestamp: '2026-11-11T04:00:00.000Z',
        id: 'tiongbahru-20261111T0100Z.pocket_projection_180m',
        pocket_id: 'tiongbahru',
        generator: 'pocket_projection_180m',
        expected: 'calm-social',
        actual: 'calm-social',
        accuracy: 0.25,
      },
      {
        type: 'prediction',
        timestamp: '2026-11-11T03:00:00.000Z',
        id: 'dempsey-20261111T0200Z.pocket_projection_60m',
        pocket_id: 'dempsey',
        generator: 'pocket_projection_60m',
        expected: 'calm-social',
        actual: 'calm-social',
        accuracy: 0.6,
      },
      {
        type: 'sustainability',
        timestamp: '2026-11-11T02:00:00.000Z',
        pocket_id: 'dempsey',
        kind: 'idle_reclaimed',
        value: 1.25,
        dollar_value: 4.5,
        currency: 'SGD',
        basis: 'observed',
      },
      {
        type: 'narration',
        timestamp: '2026-11-10T23:00:00.000Z',
        id: 'tiongbahru-20261110T2300Z',
        pocket_id: 'tiongbahru',
        tier: 'experience',
        body: 'a quiet hour; calmer than usual; until about quarter to one.',
      },
    ]);
    assert.equal(text, '6 events over the last 24h; the newest, a narration of tiongbahru, at 12:00 SGT.');
  });

  test('filters by time, pocket and type, up to the limit', async () => {
    const dempsey = ['-1 prediction dempsey', '-2 sustainability dempsey'];
    const table: [given: Record<string, unknown>, listed: string[]][] = [
      [{ since: '1h', pocket_id: 'dempsey' }, []],
      [{ since: '6h', pocket_id: 'dempsey' }, dempsey],
      [{ since: 'all', pocket_id: 'dempsey' }, dempsey],
      [
        { since: '7d', type: 'sustainability' },
        ['-2 sustainability dempsey', '-48 sustainability tiongbahru'],
      ],
      [{ type: 'narration', limit: 1 }, ['0 narration tiongbahru']],
      [
        { since: 'all', type: 'narration' },
        ['0 narration tiongbahru', '-5 narration tiongbahru', '-960 narration tiongbahru'],
      ],
      [
        { since: 'all', type: 'prediction', pocket_id: 'tiongbahru' },
        ['0 prediction tiongbahru', '0 prediction tiongbahru', '-719 prediction tiongbahru'],
      ],
    ];
    for (const [given, listed] of table)
      assert.deepEqual((await ask(given)).listed, listed, JSON.stringify(given));
    assert.equal(
      (await ask({ since: '1h', pocket_id: 'dempsey' })).text,
      'nothing happened over the last 1h.',
    );
  });

  test('a limit above 200 is served as 200', async () => {
    await writeEventFixtures(
      store(),
      Array.from({ length: 250 }, (_, n) => ({ id: `more-${n}`, slot: noon - 3 * DAY - n * SLOT })),
    );
    for (const limit of [200, 201, 1_000_000])
      assert.equal((await ask({ since: 'all', limit })).structured.count, 200);
    await assert.rejects(ask({ limit: 0 }), /limit must be at least 1/);
  });
});
