import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StreamEvent } from '../../domain/narration/stream.ts';
import { bytesOfBatch, createBatch, EventBuffer } from './event-buffer.ts';
import { eventId, type Position, parseId } from './event-frames.ts';

const PAGE = 3;
const pockets = ['a', 'b'];

const makeEvent = (run: number, n: number): StreamEvent => ({
  ...{ type: 'narration', at: 0, id: `${run}/${n}`, pocket_id: pockets[n % 2] ?? '' },
  ...{ tier: 'atmosphere', body: '' },
});

/** The run with so many events, in batches of a page. */
function makeRun(number: number, count: number) {
  const events = Array.from({ length: count }, (_, n) => makeEvent(number, n));
  const batches = Array.from({ length: Math.ceil(count / PAGE) }, (_, n) =>
    createBatch({ number, ran_at: number * 10 }, n * PAGE, events.slice(n * PAGE, (n + 1) * PAGE), 'SGD'),
  );
  return { run: { number, ran_at: number * 10 }, batches };
}

/** Everything that a client at this position is sent. */
function after(buffer: EventBuffer, position: Position, pocket?: string): string[] | string {
  const place = buffer.find(position);
  if (typeof place === 'string') return place;
  let text = '';
  for (let index = place.next, skip = place.skip; ; index += 1, skip = 0) {
    const batch = buffer.at(index);
    assert.notEqual(batch, 'evicted');
    if (typeof batch !== 'object') break;
    text += bytesOfBatch(batch, pocket, skip);
  }
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
}

test('an id is read as it was written, and nothing else is an id', () => {
  for (const position of [
    { run: 12, ranAt: 1794360600000, count: 3 },
    { run: 0, ranAt: 0, count: Number.POSITIVE_INFINITY },
  ])
    assert.deepEqual(parseId(eventId(position)), position);
  for (const text of ['', '1', '1.2.', 'a.b.c', '1.2.3.4', '-1.2.3', ' 1.2.3', '1.2.3\n', '9'.repeat(400)])
    assert.equal(parseId(text), undefined, text);
});

test('from every position that is held, exactly the events after it', () => {
  const sizes = fc.array(fc.nat(8), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(7), fc.integer({ min: 200, max: 4000 }), (counts, begin, maxBytes) => {
      const start = Math.min(begin, counts.length - 1);
      const buffer = new EventBuffer(maxBytes, { run: start, ranAt: start * 10 });
      for (const [n, count] of counts.entries()) {
        const { run, batches } = makeRun(n + 1, count);
        if (n >= start) buffer.append(run, batches, 0);
      }
      // Earlier runs are added backwards, as far as there is room.
      while (buffer.oldest > 0 && !buffer.isFull) {
        const { run, batches } = makeRun(buffer.oldest, counts[buffer.oldest - 1] ?? 0);
        buffer.prepend(run, batches);
      }
      const ids = counts.flatMap((count, run) =>
        Array.from({ length: count }, (_, n) => `${run + 1}.${(run + 1) * 10}.${n + 1}`),
      );
      for (const [n, id] of ids.entries()) {
        const position = parseId(id) ?? assert.fail();
        const found = after(buffer, position);
        if (position.run <= buffer.oldest) assert.equal(found, 'older');
        else assert.deepEqual(found, ids.slice(n + 1));
        const whole = after(buffer, { ...position, count: Number.POSITIVE_INFINITY });
        if (Array.isArray(whole))
          assert.deepEqual(
            whole,
            ids.filter((other) => Number.parseInt(other, 10) > position.run),
          );
        else assert.ok(position.run <= buffer.oldest);
        const ofOne = after(buffer, position, 'b');
        if (Array.isArray(ofOne)) {
          const own = ids.slice(n + 1).filter((other) => Number(other.split('.')[2]) % 2 === 0);
          assert.deepEqual(ofOne, own);
        }
      }
    }),
  );
});

test('positions that the store does not have', () => {
  const buffer = new EventBuffer(1e6, { run: 4, ranAt: 40 });
  const { run, batches } = makeRun(5, 2);
  buffer.append(run, batches, 0);
  const find = (id: string) => buffer.find(parseId(id) ?? assert.fail());
  assert.equal(find('6.60'), 'newer');
  assert.equal(find('5.51.1'), 'unknown');
  assert.equal(find('3.30'), 'older');
  assert.equal(find('4.40.1'), 'older');
  assert.deepEqual(find('4.40'), { next: 0, skip: 0 });
  assert.deepEqual(find('5.50.1'), { next: 0, skip: 1 });
  assert.deepEqual(find('5.50.9'), { next: 1, skip: 0 });
  assert.equal(buffer.from, 50);
});

test('what is too old or too much is evicted by whole runs, except the newest', () => {
  const buffer = new EventBuffer(1, { run: 0, ranAt: 0 });
  for (const number of [1, 2, 3]) {
    const { run, batches } = makeRun(number, 4);
    buffer.append(run, batches, 0);
    assert.deepEqual([buffer.oldest, buffer.endIndex - buffer.firstIndex], [number - 1, 2]);
  }
  assert.equal(buffer.at(0), 'evicted');
  const aged = new EventBuffer(1e6, { run: 0, ranAt: 0 });
  for (const number of [1, 2, 3]) aged.append(makeRun(number, 1).run, makeRun(number, 1).batches, 20);
  assert.equal(aged.from, 20);
});
