import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { categories } from '../city/city.ts';
import { voiceFaults } from '../text/voice.ts';
import { readinessStates } from './readiness.ts';
import { type Lever, levers, PRESENT, type StackInput, valueStack } from './value-stack.ts';

const bakery: StackInput = {
  category: 'bakery',
  seats: 18,
  state: 'READY_FOR_TAKEAWAY',
  idle_pressure: 0.3,
  spare_capacity: 0.6,
  calm: 0.8,
  rain: 0,
  half_life_minutes: 36,
  window_minutes: 60,
  day_gone: 0.5,
};
const levels = (input: Partial<StackInput>) => {
  const stack = valueStack({ ...bakery, ...input });
  return Object.fromEntries(levers.map((lever) => [lever, stack[lever].level])) as Record<Lever, number>;
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(levels({}), {
    bundle: 0.5,
    quiet_seating: 0.24,
    priority: 0.33,
    freshness: 0.9,
    timing: 0.6,
    comfort: 0.26,
  });
  const { quiet_seating, freshness, timing } = valueStack(bakery);
  assert.deepEqual(quiet_seating, { present: false, level: 0.24, line: 'no quiet seat is part of it.' });
  assert.equal(freshness.line, 'what is made here is fresh at this hour.');
  assert.equal(timing.line, 'the calm outside may last as long as the window.');
});

test('each lever follows its own condition', () => {
  const table: [Lever, Partial<StackInput>, Partial<StackInput>][] = [
    ['bundle', { idle_pressure: 0.1 }, { idle_pressure: 0.5 }],
    ['quiet_seating', { spare_capacity: 0.3 }, { spare_capacity: 0.9 }],
    ['quiet_seating', { calm: 0.3 }, { calm: 0.9 }],
    ['priority', { spare_capacity: 0.3 }, { spare_capacity: 0.7 }],
    ['freshness', { day_gone: 0.9 }, { day_gone: 0.5 }],
    ['timing', { half_life_minutes: 12 }, { half_life_minutes: 48 }],
    ['comfort', { rain: 0.4 }, { rain: 0.8 }],
    ['comfort', { calm: 0.2 }, { calm: 0.9 }],
  ];
  for (const [lever, less, more] of table)
    assert.ok(levels(less)[lever] < levels(more)[lever], `${lever} ${JSON.stringify(more)}`);
});

test('a readiness state raises one lever, if that lever has a level', () => {
  const plain = levels({ state: 'DO_NOT_PUSH' });
  for (const state of readinessStates.filter((state) => state.startsWith('READY_'))) {
    const favoured = levers.filter((lever) => levels({ state })[lever] > plain[lever]);
    assert.equal(favoured.length, 1, `${state}: ${favoured}`);
  }
  assert.equal(levels({ state: 'READY_FOR_FOCUS', seats: 0 }).quiet_seating, 0);
  assert.equal(levels({ state: 'READY_FOR_TAKEAWAY', category: 'bar' }).freshness, 0);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyInput: fc.Arbitrary<StackInput> = fc.record({
  category: fc.constantFrom(...categories),
  seats: fc.integer({ min: 0, max: 200 }),
  state: fc.constantFrom(...readinessStates),
  idle_pressure: share,
  spare_capacity: share,
  calm: share,
  rain: share,
  half_life_minutes: fc.integer({ min: 10, max: 240 }),
  window_minutes: fc.integer({ min: 0, max: 120 }),
  day_gone: share,
});

test('every lever has a level and a line that passes the voice rules and names no category', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const stack = valueStack(input);
      assert.deepEqual(Object.keys(stack), [...levers]);
      for (const { present, level, line } of Object.values(stack)) {
        assert.ok(level >= 0 && level <= 1);
        assert.equal(present, level >= PRESENT);
        assert.deepEqual(voiceFaults(line, 'emit'), [], line);
        for (const category of categories) assert.ok(!line.includes(category), line);
      }
    }),
  );
});
