import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Feed } from '../../sources/core/feed.ts';
import type { ReceivedMessage } from './message-buffer.ts';
import { compressMessages, readMessages } from './read-messages.ts';

const now = Date.parse('2026-06-10T10:00:00Z');
const feed: Feed = {
  id: 'sensors',
  title: 'sensors',
  adapter: 'mqtt',
  every_seconds: 60,
  reach_m: 500,
  fields: {},
  settings: { url: 'wss://broker.example/mqtt?token=abc', topics: [{ topic: '+place', fields: { n: 'n' } }] },
};
const message = (payload: string | Uint8Array, at = now): ReceivedMessage => ({
  topic: 'gate',
  payload: Buffer.from(payload),
  retained: false,
  at,
});
const read = (...messages: ReceivedMessage[]) =>
  readMessages(feed, messages, { points: [], time_zone: 'UTC' });

test('each message counts from when it came', () => {
  const { rows, faults, bodies, error } = read(message('{"n":1}', now - 2), message('{"n":2}', now - 1));
  assert.deepEqual(
    rows.map(({ value, arrived_at, expires_at }) => [value, arrived_at, expires_at]),
    [
      [1, now - 2, now - 2 + 30 * 60_000],
      [2, now - 1, now - 1 + 30 * 60_000],
    ],
  );
  assert.deepEqual([faults, bodies, error], [{}, 1, undefined]);
});

test('a message that cannot be read is counted; an error is where none can', () => {
  const some = read(message('<html>'), message('{"n":1}'));
  assert.deepEqual([some.rows.length, some.faults, some.error], [1, { bad_value: 1 }, undefined]);
  const none = read(message('<html>'), message(Uint8Array.of(0xff)));
  assert.deepEqual([none.rows.length, none.faults.bad_value], [0, 2]);
  assert.ok(none.error instanceof Error);
  assert.equal(read().bodies, 0);
});

test('the archive holds each message as it came, and no secret', async () => {
  const messages = [message('{"n":1}'), { ...message(Uint8Array.of(0xff)), retained: true }];
  const body = await compressMessages(feed, messages, ['s3cret']);
  const raw = await promisify(zstdDecompress)(Buffer.from(body?.content ?? '', 'base64'));
  const at = '2026-06-10T10:00:00.000Z';
  assert.deepEqual(JSON.parse(raw.toString()), [
    { topic: 'gate', payload: '{"n":1}', at },
    { topic: 'gate', payload_base64: '/w==', at, retained: true },
  ]);
  assert.equal(body?.url, 'wss://broker.example/mqtt?token=withheld');
  assert.equal(await compressMessages(feed, [message('{"pass":"s3cret"}')], ['s3cret']), null);
});
