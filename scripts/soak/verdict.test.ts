import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSoak, type Sample } from './verdict.ts';

const MB = 1_000_000;
const minutes = (memoryAt: (minute: number) => number, descriptors = 60): Sample[] =>
  Array.from({ length: 60 }, (_, n) => ({ seconds: 60 * n, memory: memoryAt(n) * MB, descriptors }));
const idle = { seconds: 0, memory: 200 * MB, descriptors: 40 };

test('memory that rises in the first ten minutes and stays is clean', () => {
  const samples = minutes((minute) => 200 + 20 * Math.min(minute, 10) + (minute % 2) * 5);
  const { memoryRise, clean } = judgeSoak(samples, idle, { ...idle, memory: 300 * MB });
  assert.ok(memoryRise !== null && Math.abs(memoryRise) < 0.02);
  assert.equal(clean, true);
});

test('memory or descriptors that go on rising, and memory that is not given back, are named', () => {
  const rising = judgeSoak(
    minutes((minute) => 200 + 5 * minute),
    idle,
    idle,
  );
  assert.ok((rising.memoryRise ?? 0) > 0.5);
  assert.equal(rising.clean, false);
  const leaking = minutes(() => 300).map((sample, n) => ({ ...sample, descriptors: 60 + 2 * n }));
  assert.equal(judgeSoak(leaking, idle, idle).clean, false);
  assert.equal(
    judgeSoak(
      minutes(() => 300),
      idle,
      { ...idle, memory: 301 * MB },
    ).clean,
    false,
  );
});

test('a run that ends before memory settles says nothing', () => {
  const { memoryRise, clean } = judgeSoak(minutes(() => 300).slice(0, 9), idle, idle);
  assert.equal(memoryRise, null);
  assert.equal(clean, false);
});
