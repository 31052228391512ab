import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { findCalmPocketNow } from './find-calm-pocket-now.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const calm = (
  pocket: string,
  calm_probability: number,
  half_life_minutes = 45,
  slot = noon,
): DecisionFixture => ({
  pocket,
  slot,
  gate: 'why_now',
  moment: { calm_probability, half_life_minutes, expires_at: slot + half_life_minutes * MINUTE },
});
const silent = (made: DecisionFixture): DecisionFixture => ({
  ...made,
  moment: { ...made.moment, should_stay_silent: true, silence_reasons: ['the pocket is tense'] },
});

describeStores('find_calm_pocket_now', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      calm('holland', 0.7),
      calm('siglap', 0.9, 30),
      calm('dempsey', 0.9, 60),
      calm('cluny', 0.9, 30),
      calm('serene', 0.6),
      calm('sunset', 0.599),
      // Calm a slot ago, and not now.
      calm('chipbee', 0.95, 45, noon - SLOT),
      calm('chipbee', 0.2),
      // No moment in this slot; the one before has not expired.
      calm('rochester', 0.8, 30, noon - SLOT),
      // A moment of the slot before, expired since.
      calm('frankel', 0.99, 12, noon - SLOT),
      silent(calm('hajilane', 0.99)),
    ]),
  );
  const find = (given = {}, now = noon) => askOperation(findCalmPocketNow, store(), now, given);
  const ids = async (given = {}, now = noon) =>
    (await find(given, now)).structured.pockets.map(({ pocket_id }) => pocket_id);

  test('the three calmest; ties go to the longer half-life, then by id', async () => {
    assert.deepEqual(await ids(), ['dempsey', 'cluny', 'siglap']);
  });

  test('each row has its fields and the address of its page', async () => {
    const { structured, text } = await find({ top_n: 1 });
    assert.deepEqual(structured, {
      count: 1,
      pockets: [
        {
          pocket_id: 'dempsey',
          primary_state: 'calm-productive',
          calm_probability: 0.9,
          half_life_minutes: 60,
          expires_at: '2026-11-11T05:00:00.000Z',
          window_ends_at: '2026-11-11T05:00:00.000Z',
          live_url: 'https://pocketwatch.test/pocket/dempsey',
        },
      ],
      left_out: {
        total: 17,
        no_current_moment: 9,
        below_threshold: 2,
        quiet_hours: 0,
        silent: 1,
        beyond_top_n: 5,
        quiet_hours_end_at: null,
        calmer: [{ pocket_id: 'hajilane', calm_probability: 0.99, reason: 'silent' }],
      },
    });
    assert.equal(
      text,
      [
        'calm now, calm probability 0.6 or more:',
        'dempsey: calm-productive, calm probability 0.9, half-life 60 minutes, calm window until 13:00 SGT. https://pocketwatch.test/pocket/dempsey',
        'calmer, but not listed: hajilane (0.99, the moment asks for silence).',
        'left out: 1 calm enough, where the moment asks for silence; 5 calm enough, beyond the number asked for; 2 below 0.6; 9 without a current reading.',
      ].join('\n'),
    );
  });

  test('leaves out silent, expired and superseded moments; the lower bound is inclusive', async () => {
    const all = ['dempsey', 'cluny', 'siglap', 'rochester', 'holland', 'serene'];
    assert.deepEqual(await ids({ top_n: 10 }), all);
    assert.deepEqual(await ids({ top_n: 10, min_calm_probability: 0.599 }), [...all, 'sunset']);
    assert.deepEqual(await ids({ top_n: 10, min_calm_probability: 0 }), [...all, 'sunset', 'chipbee']);
    assert.deepEqual(await ids({ min_calm_probability: 0.9 }), ['dempsey', 'cluny', 'siglap']);
  });

  test('leaves out moments older than half an hour, and those of the future', async () => {
    assert.deepEqual(await ids({ top_n: 10 }, noon + SLOT), [
      'dempsey',
      'cluny',
      'siglap',
      'holland',
      'serene',
    ]);
    assert.deepEqual(await ids({}, noon + 2 * SLOT), []);
    assert.deepEqual(await ids({ top_n: 1 }, noon - 1), ['chipbee']);
  });

  test('no calm pocket: an empty list and why', async () => {
    const { structured, text } = await find({ min_calm_probability: 1 });
    assert.deepEqual([structured.count, structured.pockets], [0, []]);
    assert.equal(
      text,
      'no pocket is listed with calm probability 1 or more.\nleft out: 9 below 1; 9 without a current reading.',
    );
  });

  test('every observed pocket is listed or counted once among those left out', async () => {
    for (const top_n of [1, 3, 10])
      for (const min_calm_probability of [0, 0.6, 0.95, 1]) {
        const { count, left_out } = (await find({ top_n, min_calm_probability })).structured;
        const { total, quiet_hours_end_at: _end, calmer: _named, ...reasons } = left_out;
        assert.equal(count + total, city.pockets.length);
        assert.equal(
          Object.values(reasons).reduce((sum, n) => sum + n, 0),
          total,
        );
      }
  });
});

describeStores('find_calm_pocket_now at night', (makePlace) => {
  const night = Date.parse('2026-11-11T19:30:00Z');
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      silent(calm('holland', 0.98, 200, night)),
      silent(calm('siglap', 0.97, 200, night)),
      silent(calm('dempsey', 0.3, 200, night)),
    ]),
  );

  test('the list is empty, and says how many are calm and when the quiet hours end', async () => {
    const { structured, text } = await askOperation(findCalmPocketNow, store(), night);
    assert.deepEqual(structured.pockets, []);
    assert.deepEqual(structured.left_out, {
      total: 18,
      no_current_moment: 15,
      below_threshold: 1,
      quiet_hours: 2,
      silent: 0,
      beyond_top_n: 0,
      quiet_hours_end_at: '2026-11-11T23:00:00.000Z',
      calmer: [
        { pocket_id: 'holland', calm_probability: 0.98, reason: 'quiet_hours' },
        { pocket_id: 'siglap', calm_probability: 0.97, reason: 'quiet_hours' },
      ],
    });
    assert.match(text, /2 calm enough, in hours when the service does not speak until 07:00 SGT/);
  });
});
