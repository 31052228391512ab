import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BURST_SECONDS, createByteShare, LONGEST_WAIT_MS } from './byte-share.ts';

const SPEED = 1_000_000;
const MiB = 1024 * 1024;
const start = 5_000_000;

test('after a pause the burst is sent at once; what is more waits for its turn at the speed of the address', () => {
  const { book } = createByteShare(SPEED);
  assert.deepEqual(book('a', start, BURST_SECONDS * SPEED), { wait: 0 });
  assert.deepEqual(book('a', start, SPEED), { wait: 0 });
  assert.deepEqual(book('a', start, SPEED), { wait: 1000 });
  assert.deepEqual(book('b', start, SPEED), { wait: 0 }, 'another address does not wait for it');
  assert.deepEqual(book('a', start + 1500, SPEED), { wait: 500 });
  assert.deepEqual(book('a', start + 3_600_000, BURST_SECONDS * SPEED + SPEED), { wait: 0 });
  assert.deepEqual(
    book('a', start + 3_600_000, 1),
    { wait: 1000 },
    'an hour saves up no more than the burst',
  );
});

test('past the longest wait it is refused until so much was sent, and a refusal books nothing', () => {
  const { book } = createByteShare(SPEED);
  book('a', start, (BURST_SECONDS + 15) * SPEED);
  const refusedUntil = start + 15_000 - LONGEST_WAIT_MS;
  for (let n = 0; n < 3; n++) assert.deepEqual(book('a', start, SPEED), { refusedUntil });
  assert.deepEqual(book('a', refusedUntil, 1), { wait: LONGEST_WAIT_MS });
});

test('a length that was not known is booked or given back afterwards', () => {
  const { book, correct } = createByteShare(SPEED);
  book('a', start, BURST_SECONDS * SPEED);
  correct('a', 2 * SPEED);
  assert.deepEqual(book('a', start, 0), { wait: 2000 });
  correct('a', -SPEED);
  assert.deepEqual(book('a', start, 0), { wait: 1000 });
  correct('never seen', SPEED);
});

test('whatever an address asks for, it is sent at most the burst and its speed, and nobody at a sane pace is refused', () => {
  const requests = fc.array(fc.tuple(fc.nat(3000), fc.nat(MiB)), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(requests, (steps) => {
      const { book } = createByteShare(SPEED);
      let now = start;
      let sent = 0;
      let lastSize = 0;
      for (const [pause, bytes] of steps) {
        now += pause;
        const booking = book('a', now, bytes);
        if ('refusedUntil' in booking) continue;
        const at = now + booking.wait;
        // What was sent before this one has its time; the last may still be on its way.
        assert.ok(sent <= BURST_SECONDS * SPEED + ((at - start) / 1000) * SPEED + lastSize + 1);
        sent += bytes;
        lastSize = bytes;
      }
    }),
  );
  // Eight at once, as `verify` reads: each answer makes room for one more request.
  fc.assert(
    fc.property(fc.array(fc.nat(MiB), { minLength: 1, maxLength: 200 }), (sizes) => {
      const { book } = createByteShare(SPEED);
      const ends: number[] = [];
      for (const [n, bytes] of sizes.entries()) {
        const now = n < 8 ? start : (ends.toSorted((a, b) => a - b)[n - 8] ?? start);
        const booking = book('a', now, bytes);
        assert.ok('wait' in booking);
        ends.push(now + booking.wait);
      }
    }),
  );
});

test('addresses that ask no more are forgotten', () => {
  const { book } = createByteShare(SPEED);
  book('first', start, 20 * SPEED);
  book('second', start, 20 * SPEED);
  for (let n = 0; n < 49_999; n++) book(`other ${n}`, start, 1);
  assert.ok('refusedUntil' in book('second', start, 1));
  assert.deepEqual(book('first', start, 1), { wait: 0 });
});
