import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumByKey, type VerdictCounts, vindicationRate } from './counts.ts';

test('sums by a key, the largest first and then by name', () => {
  const rows = [
    { gate: 'b', count: 1 },
    { gate: 'c', count: 2 },
    { gate: 'a', count: 3 },
    { gate: 'b', count: 2 },
  ];
  const by = sumByKey(
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
    sumByKey(
      [],
      () => '',
      () => 1,
    ),
    [],
  );
});

test('the share of vindicated silences among those with a verdict; null without verdicts', () => {
  const example: VerdictCounts = { vindicated: 3, missed: 1, inconclusive: 7 };
  assert.equal(vindicationRate(example), 0.75);
  assert.equal(vindicationRate({ vindicated: 0, missed: 4 }), 0);
  assert.equal(vindicationRate({ vindicated: 0, missed: 0 }), null);
});
