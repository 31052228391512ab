import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDailyQuota } from './daily-quota.ts';
import { HttpError } from './errors.ts';

const start = Date.parse('2026-11-11T04:00:00Z');
const HOUR = 3_600_000;

function makeQuota(rows: number, bytes: number) {
  const quota = createDailyQuota({ rows, bytes });
  /** Undefined if it passes, otherwise the body of the refusal. */
  const charge = (address: string, now: number, rows: number, bytes = 1) => {
    try {
      quota.charge(address, now, { rows, bytes });
      return undefined;
    } catch (error) {
      assert.ok(error instanceof HttpError);
      assert.equal(error.status, 429);
      return { error: error.message, ...error.details };
    }
  };
  return { quota, charge };
}

test('rows and bytes are counted for a day from the first write of an address', () => {
  const { charge } = makeQuota(10, 100);
  assert.equal(charge('a', start, 6), undefined);
  assert.deepEqual(charge('a', start + HOUR, 5), {
    error: 'quota exceeded: at most 10 rows of submissions from an address in a day',
    limit: 10,
    window_seconds: 86_400,
    retry_in_seconds: 23 * 3600,
  });
  assert.equal(charge('a', start + HOUR, 4, 99), undefined);
  assert.equal(charge('b', start + HOUR, 1, 101)?.error.includes('at most 100 bytes'), true);
  assert.equal(charge('a', start + 24 * HOUR, 10), undefined);
});

test('each address has a day of its own', () => {
  const { charge } = makeQuota(1, 0);
  for (const address of ['a', 'b', '__proto__', '']) {
    assert.equal(charge(address, start, 1), undefined);
    assert.ok(charge(address, start, 1));
  }
});

test('what was not written is given back', () => {
  const { quota, charge } = makeQuota(1, 0);
  const giveBack = quota.charge('a', start, { rows: 1, bytes: 1 });
  assert.ok(charge('a', start, 1));
  giveBack();
  assert.equal(charge('a', start, 1), undefined);
});

test('0 means no quota', () => {
  const { charge } = makeQuota(0, 0);
  for (let n = 0; n < 100; n++) assert.equal(charge('a', start, 1000, 1e9), undefined);
});

test('a clock that is set back begins a new day', () => {
  const { charge } = makeQuota(1, 0);
  assert.equal(charge('a', start, 1), undefined);
  assert.equal(charge('a', start - HOUR, 1), undefined);
});
