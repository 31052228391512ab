import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generate } from 'mqtt-packet';
import { packetGuard } from './mqtt-packets.ts';

const publish = (bytes: number, qos: 0 | 1 | 2 = 0): Buffer =>
  generate({
    cmd: 'publish',
    topic: 'a/b',
    payload: Buffer.alloc(bytes),
    retain: false,
    dup: false,
    qos,
    ...(qos > 0 && { messageId: 1 }),
  });
const stream = Buffer.concat([
  generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }),
  generate({ cmd: 'suback', messageId: 1, granted: [0] }),
  publish(0),
  publish(200),
  publish(995),
  publish(3, 1),
  generate({ cmd: 'pingresp' }),
]);

/** In pieces of so many bytes. */
function pass(bytes: Buffer, size: number): void {
  const check = packetGuard('broker', 1000);
  for (let at = 0; at < bytes.length; at += size) check(bytes.subarray(at, at + size));
}

test('packets within the limit pass, in pieces of any size', () => {
  for (const size of [1, 2, 3, 7, 100, stream.length]) pass(Buffer.concat([stream, stream]), size);
});

test('a packet beyond the limit is refused at its header, in pieces of any size', () => {
  // The topic has five bytes.
  for (const size of [1, 2, 3, 7, 100, 9999])
    assert.throws(() => pass(Buffer.concat([stream, publish(996).subarray(0, 3)]), size), /larger than/);
  assert.throws(() => pass(Buffer.concat([stream, publish(1, 2)]), 5), /qos 2/);
  assert.throws(
    () => packetGuard('broker', 2 ** 40)(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff])),
    /not MQTT/,
  );
});
