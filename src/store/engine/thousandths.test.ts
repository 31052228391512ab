import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thousandthsOrWhole, toThousandths } from './thousandths.ts';

test('every figure with three decimals comes back as it was', () => {
  for (let n = -100_000; n <= 100_000; n++) {
    const figure = Number((n / 1_000).toFixed(3));
    assert.equal((toThousandths(figure) ?? Number.NaN) / 1_000, figure);
  }
});

test('what was not measured stays missing', () => {
  assert.equal(toThousandths(null), null);
});

test('what others measured comes back as it was, whatever its decimals', () => {
  for (const figure of [0, 0.5, 0.1 + 0.2, 1 / 3, 31.999, 32, 40_000.5, -0.25, null]) {
    const { level, level_milli } = thousandthsOrWhole('level', figure);
    assert.equal(level ?? (level_milli === null ? null : level_milli / 1_000), figure);
    assert.ok(level === null || level_milli === null);
    assert.ok(level_milli === null || (Number.isInteger(level_milli) && Math.abs(level_milli) < 32_768));
  }
  assert.deepEqual(thousandthsOrWhole('level', 0.125), { level_milli: 125, level: null });
});
