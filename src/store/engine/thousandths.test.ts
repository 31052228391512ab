import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toThousandths } from './thousandths.ts';

test('every figure with three decimals comes back as it was', () => {
  for (let n = -100_000; n <= 100_000; n++) {
    const figure = Number((n / 1_000).toFixed(3));
    assert.equal((toThousandths(figure) ?? Number.NaN) / 1_000, figure);
  }
});

test('what was not measured stays missing', () => {
  assert.equal(toThousandths(null), null);
});
