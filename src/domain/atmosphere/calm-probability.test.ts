import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { momentInput, reading } from '../../../test/support/rows/example-moment.ts';
import { SLOT } from '../time/slot.ts';
import {
  addCalmReading,
  type CalmCondition,
  type CalmOutcomes,
  calmCondition,
  calmProbability,
  noCalmOutcomes,
} from './calm-probability.ts';

const condition = (more: Partial<CalmCondition> = {}): CalmCondition => ({
  slot: 0,
  calm: 0.75,
  change: 0,
  state: 'calm',
  ...more,
});
const learn = (conditions: readonly CalmCondition[]): CalmOutcomes =>
  conditions.reduce(addCalmReading, noCalmOutcomes);
const states = (...list: CalmCondition['state'][]) =>
  list.map((state, i) => condition({ slot: i * SLOT, state }));

test('the worked example of docs/formulas.md', () => {
  const now = calmCondition(reading, momentInput.recent);
  assert.deepEqual(now, { slot: reading.slot, calm: 0.8, change: 0.2, state: 'calm' });
  assert.equal(calmProbability(momentInput.calm_outcomes, now, 1), 0.813);
  assert.equal(calmProbability(momentInput.calm_outcomes, now, 0.75), 0.786);
});

describe('the condition', () => {
  const at = (calm: number[], primary_state: typeof reading.primary_state = 'calm-restful') => {
    const recent = calm.map((value, i) => ({ slot: i * SLOT, calm: value }));
    const last = recent.at(-1) ?? { slot: 0, calm: 0 };
    return calmCondition({ ...last, primary_state }, recent);
  };
  test('the change is over the last half hour, or over what there is of it', () => {
    assert.equal(at([0.9, 0.8, 0.7, 0.6]).change, -0.2);
    assert.equal(at([0.5, 0.6]).change, 0.1);
    assert.equal(at([0.5]).change, 0);
  });

  test('a state subdued by rain is neither calm nor ordinary', () => {
    assert.equal(at([0.8]).state, 'calm');
    assert.equal(at([0.8], 'rain-subdued').state, 'rain');
    assert.equal(at([0.4], 'lively-social').state, 'other');
  });
});

describe('learning', () => {
  test('an outcome is calm when both of the next readings are', () => {
    assert.deepEqual(learn(states('calm', 'calm', 'calm')).sums, { 'level 0.75': { n: 1, calm: 1 } });
    assert.deepEqual(learn(states('calm', 'calm', 'other')).sums, { 'level 0.75': { n: 1, calm: 0 } });
    assert.deepEqual(learn(states('calm', 'rain', 'calm')).sums, { 'level 0.75': { n: 1, calm: 0 } });
    assert.deepEqual(learn(states('calm', 'calm')).sums, {});
  });

  test('a half hour with a missing reading is not learned', () => {
    const [first, second, third, fourth] = states('calm', 'calm', 'calm', 'calm');
    assert.ok(first && second && third && fourth);
    assert.deepEqual(learn([first, third]).sums, {});
    assert.deepEqual(learn([first, second, fourth]).sums, {});
  });

  test('a level between two is shared by distance', () => {
    const between = states('calm', 'calm', 'calm').map((one) => ({ ...one, calm: 0.8 }));
    assert.deepEqual(learn(between).sums, {
      'level 0.75': { n: 0.75, calm: 0.75 },
      'level 0.95': { n: 0.25, calm: 0.25 },
    });
  });

  test('what is stored does not grow with time', () => {
    const long = learn(Array.from({ length: 2000 }, (_, i) => condition({ slot: i * SLOT })));
    assert.equal(long.open.length, 2);
    assert.ok((long.sums['level 0.75']?.n ?? 0) <= 401);
  });

  test('outcomes move the probability from its prior to their own share', () => {
    const never = learn(
      Array.from({ length: 900 }, (_, i) =>
        condition({ slot: i * SLOT, state: i % 3 === 0 ? 'calm' : 'other' }),
      ),
    );
    assert.equal(calmProbability(noCalmOutcomes, condition(), 1), 0.96);
    assert.ok(calmProbability(never, condition(), 1) < 0.05);
  });
});

describe('the probability', () => {
  const prior = (more: Partial<CalmCondition>, completeness = 1) =>
    calmProbability(noCalmOutcomes, condition(more), completeness);

  test('rises with the level of calm, and is higher after a rising half hour', () => {
    const levels = Array.from({ length: 101 }, (_, i) => i / 100);
    for (const change of [-0.1, 0, 0.1]) {
      const values = levels.map((calm) => prior({ calm, change, state: calm >= 0.55 ? 'calm' : 'other' }));
      assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
      );
    }
    assert.ok(prior({ calm: 0.6, change: -0.05 }) < prior({ calm: 0.6, change: 0 }));
    assert.ok(prior({ calm: 0.6, change: 0 }) < prior({ calm: 0.6, change: 0.05 }));
  });

  test('missing signals take it half their share towards the base rate', () => {
    assert.equal(prior({ calm: 0.95 }), 0.98);
    assert.equal(prior({ calm: 0.95 }, 0.6), 0.904);
    assert.equal(prior({ calm: 0.2, state: 'other' }, 0.6), 0.128);
  });

  test('is in 0..1 with three decimals, whatever was learned', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const some = fc.record({
      calm: share,
      change: fc.double({ min: -1, max: 1, noNaN: true }),
      state: fc.constantFrom('calm', 'rain', 'other'),
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 60 }), share, (list, completeness) => {
        const conditions = list.map((one, i) => ({ ...one, slot: i * SLOT }) as CalmCondition);
        const now = conditions.at(-1) ?? condition();
        const value = calmProbability(learn(conditions), now, completeness);
        assert.ok(value >= 0 && value <= 1);
        assert.equal(Math.round(value * 1000) / 1000, value);
      }),
    );
  });
});
