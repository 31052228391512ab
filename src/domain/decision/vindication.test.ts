import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { faultsOf } from '../text/voice.ts';
import { type Aftermath, attentionMinutes, judgeSilence, summarizeAftermath } from './vindication.ts';

/** The calm held and people were about: silence was wrong. */
const missed: Aftermath = {
  calm: 0.8,
  readings: 4,
  held: 3,
  mean_calm: 0.72,
  mean_stress: 0.3,
  footfall: 400,
  crowd: 0.4,
  spoke: false,
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(judgeSilence(missed), {
    vindicated: false,
    attention_minutes_preserved: 0,
    reason: 'the calm held and people were about: a line would have served',
  });
  assert.deepEqual(judgeSilence({ ...missed, held: 2 }), {
    vindicated: true,
    attention_minutes_preserved: 1,
    reason: 'the calm did not hold',
  });
});

describe('each reason that vindicates, from its threshold on', () => {
  const table: [reason: string, right: Partial<Aftermath>, wrong: Partial<Aftermath>][] = [
    ['a better moment came within the hour', { spoke: true }, {}],
    ['the calm did not hold', { held: 2 }, { held: 3 }],
    ['the pocket was strained', { mean_stress: 0.351 }, { mean_stress: 0.35 }],
    ['the hour was not calm', { mean_calm: 0.599 }, { mean_calm: 0.6 }],
    ['few were about', { crowd: 0.199 }, { crowd: 0.2 }],
    ['few were about', { crowd: null }, {}],
  ];
  for (const [reason, right, wrong] of table) {
    test(reason, () => {
      assert.deepEqual(
        [judgeSilence({ ...missed, ...right }).vindicated, judgeSilence({ ...missed, ...right }).reason],
        [true, reason],
      );
      assert.equal(judgeSilence({ ...missed, ...wrong }).vindicated, false);
    });
  }
});

test('too few readings give no verdict', () => {
  const none = {
    vindicated: null,
    attention_minutes_preserved: 0,
    reason: 'too little was observed to judge',
  };
  assert.deepEqual(judgeSilence({ ...missed, readings: 1, held: 1 }), none);
  assert.deepEqual(
    judgeSilence({ ...missed, readings: 0, held: 0, mean_calm: null, mean_stress: null }),
    none,
  );
  assert.equal(judgeSilence({ ...missed, readings: 2, held: 2 }).vindicated, false);
});

test('a quarter hour is credited a quarter of the footfall of an hour', () => {
  // 1,200 people an hour: 300 in the quarter hour, 12 of them look, for 15 seconds each.
  assert.equal(attentionMinutes(1200), 3);
  assert.equal(attentionMinutes(0), 0);
  assert.equal(attentionMinutes(null), null, 'nobody was counted, which is not nobody');
});

test('only a vindicated silence preserves attention', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const after = fc.record({
    readings: fc.constant(4),
    held: fc.integer({ min: 0, max: 4 }),
    mean_calm: fc.option(share),
    mean_stress: fc.option(share),
    footfall: fc.option(fc.double({ min: 0, max: 5000, noNaN: true })),
    crowd: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
    spoke: fc.boolean(),
  });
  fc.assert(
    fc.property(after, (given) => {
      const { vindicated, attention_minutes_preserved, reason } = judgeSilence({ ...missed, ...given });
      assert.ok(attention_minutes_preserved >= 0 && attention_minutes_preserved <= 12.5);
      if (vindicated !== true) assert.equal(attention_minutes_preserved, 0);
      assert.deepEqual(faultsOf(reason), []);
    }),
  );
});

test('the aftermath counts readings within 0.1 of the calm before, and is null where footfall was not counted', () => {
  const reading = (calm: number, footfall: number | null) => ({
    calm,
    stress: 0.2,
    footfall,
    crowd: footfall === null ? null : footfall / 100,
  });
  assert.deepEqual(summarizeAftermath(0.6, []), {
    calm: 0.6,
    readings: 0,
    held: 0,
    mean_calm: null,
    mean_stress: null,
    footfall: null,
    crowd: null,
  });
  const { readings, held, mean_calm, footfall, crowd } = summarizeAftermath(0.5, [
    reading(0.5, null),
    reading(0.25, 100),
    reading(0.75, 50),
  ]);
  assert.deepEqual([readings, held, mean_calm, footfall, crowd], [3, 2, 0.5, 75, 0.75]);
});
