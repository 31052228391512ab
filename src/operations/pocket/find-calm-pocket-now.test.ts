import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { MINUTE, SLOT } from '../../domain/time/sgt.ts';
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
          live_url: 'https://pocketwatch.test/pocket/dempsey',
        },
      ],
    });
    assert.equal(
      text,
      [
        'calm now, calm probability 0.6 or more:',
        'dempsey: calm-productive, calm probability 0.9, half-life 60 minutes, to 13:00 SGT. https://pocketwatch.test/pocket/dempsey',
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

  test('no calm pocket: an empty list and a sentence', async () => {
    const { structured, text } = await find({ min_calm_probability: 1 });
    assert.deepEqual(structured, { count: 0, pockets: [] });
    assert.equal(
      text,
      'no pocket has calm probability 1 or more just now, apart from any where silence is chosen.',
    );
  });
});
