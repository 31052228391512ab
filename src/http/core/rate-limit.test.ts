import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLimiter, WINDOW_SECONDS } from './rate-limit.ts';

const start = Date.parse('2026-11-11T04:00:00Z');
const second = 1000;

test('the window is a minute', () => assert.equal(WINDOW_SECONDS, 60));

test('requests up to the limit pass, and the next one waits for the end of the window', () => {
  const { take, limit } = createLimiter(30);
  assert.equal(limit, 30);
  for (let n = 0; n < 30; n++) assert.equal(take('a', start + n * second), 0);
  assert.equal(take('a', start + 30 * second), 30);
  assert.equal(take('a', start + 59 * second + 1), 1);
  assert.equal(take('a', start + 60 * second - 1), 1);
  assert.equal(take('a', start + 60 * second), 0);
});

test('a refused request is not counted', () => {
  const { take } = createLimiter(1);
  assert.equal(take('a', start), 0);
  for (let n = 1; n < 60; n++) assert.equal(take('a', start + n * second), 60 - n);
  assert.equal(take('a', start + 60 * second), 0);
});

test('each key has a window of its own', () => {
  const { take } = createLimiter(1);
  assert.equal(take('a', start), 0);
  assert.equal(take('b', start + 30 * second), 0);
  assert.equal(take('a', start + 30 * second), 30);
  assert.equal(take('b', start + 60 * second), 30);
  for (const name of ['__proto__', 'constructor', '']) assert.equal(take(name, start), 0);
});

test('a batch passes whole or not at all', () => {
  const { take } = createLimiter(30);
  assert.equal(take('a', start, 20), 0);
  assert.equal(take('a', start, 11), 60);
  assert.equal(take('a', start, 10), 0);
  assert.equal(take('a', start), 60);
});

test('0 means no limit', () => {
  const { take } = createLimiter(0);
  for (let n = 0; n < 1000; n++) assert.equal(take('a', start, 20), 0);
});

test('a cost that is known afterwards may pass the limit, and blocks the key until the window ends', () => {
  const { take, charge } = createLimiter(10);
  assert.equal(take('a', start, 1), 0);
  charge('a', start + second, 8.5);
  assert.equal(take('a', start + second, 0.5), 0);
  charge('b', start, 200);
  assert.equal(take('a', start + second), 59);
  assert.equal(take('b', start + 20 * second), 40);
  for (let n = 0; n < 60_000; n++) take(`other ${n}`, start);
  assert.equal(take('b', start + 20 * second), 40, 'requests from many other addresses do not free it');
  charge('b', start + 30 * second, 200);
  assert.equal(take('b', start + 60 * second, 10), 0, 'what is charged while it is blocked is not kept');
  const unlimited = createLimiter(0);
  unlimited.charge('a', start, 1e9);
  assert.equal(unlimited.take('a', start), 0);
});

test('a clock that is set back starts a new window', () => {
  const { take } = createLimiter(1);
  assert.equal(take('a', start), 0);
  assert.equal(take('a', start - 3600 * second), 0);
  assert.equal(take('a', start - 3600 * second), 60);
});

test('past the maximum number of keys, the oldest windows are evicted first', () => {
  const { take } = createLimiter(1);
  take('first', start);
  take('second', start);
  for (let n = 0; n < 49_999; n++) take(`other ${n}`, start);
  assert.equal(take('second', start), 60);
  assert.equal(take('first', start), 0);
});

test('whatever arrives, no window lets more requests pass than the limit', () => {
  const arrivals = fc.array(fc.tuple(fc.nat(30 * second), fc.integer({ min: 1, max: 20 })), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 40 }), (steps, limit) => {
      const { take } = createLimiter(limit);
      let now = start;
      let open = { end: 0, passed: 0 };
      for (const [pause, cost] of steps) {
        now += pause;
        if (now >= open.end) open = { end: now + 60 * second, passed: 0 };
        const wait = take('a', now, cost);
        if (wait === 0) open.passed += cost;
        else assert.equal(wait, Math.ceil((open.end - now) / second));
        assert.ok(open.passed <= limit);
      }
    }),
  );
});
