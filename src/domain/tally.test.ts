import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summed, verdictsOf, vindicationRate } from './tally.ts';

test('sums by a key, the largest first and then by name', () => {
  const rows = [
    { gate: 'b', count: 1 },
    { gate: 'c', count: 2 },
    { gate: 'a', count: 3 },
    { gate: 'b', count: 2 },
  ];
  const by = summed(
    rows,
    ({ gate }) => gate,
    ({ count }) => count,
  );
  assert.deepEqual(by, [
    ['a', 3],
    ['b', 3],
    ['c', 2],
  ]);
  assert.deepEqual(
    summed(
      [],
      () => '',
      () => 1,
    ),
    [],
  );
});

test('what could not be judged is in no rate', () => {
  const verdicts = verdictsOf([
    { vindicated: 1, count: 2 },
    { vindicated: 0, count: 1 },
    { vindicated: null, count: 7 },
    { vindicated: 1, count: 1 },
  ]);
  assert.deepEqual(verdicts, { vindicated: 3, missed: 1, inconclusive: 7 });
  assert.equal(vindicationRate(verdicts), 0.75);
  assert.equal(vindicationRate(verdictsOf([{ vindicated: null, count: 7 }])), null);
});
