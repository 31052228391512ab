import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageBuffer, type ReceivedMessage } from './message-buffer.ts';

const message = (at: number, size = 1): ReceivedMessage => ({
  topic: '',
  payload: new Uint8Array(size),
  retained: false,
  at,
});
const limits = { batch: 3, batch_bytes: 100, waiting: 5, waiting_bytes: 200, message_bytes: 90 };
const times = ({ messages }: { messages: ReceivedMessage[] }) => messages.map(({ at }) => at);

test('a batch holds the oldest messages', () => {
  const buffer = messageBuffer(limits);
  for (let at = 0; at < 4; at++) buffer.push(message(at));
  assert.ok(buffer.isFull());
  assert.deepEqual(buffer.take(), { messages: [0, 1, 2].map((at) => message(at)), dropped: 0 });
  assert.ok(!buffer.isFull());
  assert.deepEqual(times(buffer.take()), [3]);
  assert.ok(buffer.isEmpty());
});

test('a flood drops the oldest messages and counts them, by number and by size', () => {
  const buffer = messageBuffer(limits);
  for (let at = 0; at < 1000; at++) buffer.push(message(at));
  const first = buffer.take();
  assert.deepEqual([times(first), first.dropped], [[995, 996, 997], 995]);
  assert.equal(buffer.take().dropped, 0, 'each is counted once');
  for (let at = 0; at < 5; at++) buffer.push(message(at, 80));
  const second = buffer.take();
  assert.deepEqual([times(second), second.dropped], [[3], 3]);
  assert.deepEqual(times(buffer.take()), [4], 'a batch is bounded in size too');
  buffer.push(message(5, 91));
  assert.deepEqual(buffer.take(), { messages: [], dropped: 1 }, 'one message that is too large');
});

test('what could not be stored stays in front, within the same bounds', () => {
  const buffer = messageBuffer(limits);
  for (let at = 0; at < 3; at++) buffer.push(message(at));
  const batch = buffer.take();
  for (let at = 3; at < 6; at++) buffer.push(message(at));
  buffer.putBack(batch);
  const again = buffer.take();
  assert.deepEqual([times(again), again.dropped], [[1, 2, 3], 1]);
});

test('the service keeps at most a few thousand messages', () => {
  const buffer = messageBuffer();
  for (let at = 0; at < 6000; at++) buffer.push(message(at));
  const { messages, dropped } = buffer.take();
  assert.deepEqual([messages.length, dropped], [500, 1000]);
});
