import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { createBuffers, leastReading } from './buffered-bytes.ts';
import { type AddressUse, openConnection } from './connection.ts';

const limits = { total: 1000, perAddress: 400 };
const KIB = 1024;

function start(given = limits) {
  const clock = { now: 0 };
  const buffers = createBuffers(given, () => clock.now);
  const addressOf = (): AddressUse => ({ connections: 1, bytes: 0, chunked: 0 });
  const connect = (address: AddressUse | 'trusted' = addressOf()) => {
    const socket = { writableLength: 0, destroyed: false, destroy: () => undefined };
    socket.destroy = () => {
      socket.destroyed = true;
    };
    const connection = openConnection(
      socket as unknown as Socket,
      address === 'trusted' ? undefined : address,
      buffers,
    );
    const write = (bytes: number) => {
      const afresh = socket.writableLength === 0;
      socket.writableLength += bytes;
      buffers.recordWrite(connection, afresh);
    };
    return { socket, connection, write };
  };
  return { clock, buffers, addressOf, connect };
}

test('an address has its share, whatever it is for, and others have theirs', () => {
  const { buffers, addressOf, connect } = start();
  const address = addressOf();
  const [one, two] = [connect(address), connect(address)];
  const other = connect();
  buffers.hold(one.connection, 'body', 200);
  buffers.hold(two.connection, 'waiting', 100);
  assert.ok(!buffers.isFull(one.connection));
  two.write(100);
  assert.ok(buffers.isFull(one.connection) && buffers.isFull(two.connection));
  assert.ok(!buffers.isFull(other.connection));
  buffers.hold(one.connection, 'body', 0);
  assert.ok(!buffers.isFull(two.connection));
});

test('new requests are refused before those under way are', () => {
  const { buffers, connect } = start();
  const { connection } = connect();
  for (const [bytes, refuses, isFull] of [
    [299, false, false],
    [300, true, false],
    [400, true, true],
  ] as const) {
    buffers.hold(connection, 'body', bytes);
    assert.deepEqual([buffers.refusesRequests(connection), buffers.isFull(connection)], [refuses, isFull]);
  }
});

test('all together have the total, and a trusted proxy counts towards that alone', () => {
  const { buffers, connect } = start();
  const proxy = connect('trusted');
  buffers.hold(proxy.connection, 'body', 700);
  assert.ok(!buffers.isFull(proxy.connection));
  const clients = [connect(), connect(), connect()];
  for (const { connection } of clients) {
    assert.ok(!buffers.isFull(connection));
    buffers.hold(connection, 'body', 100);
  }
  assert.ok(buffers.isFull(connect().connection));
  assert.ok(buffers.isFull(proxy.connection));
  buffers.release(proxy.connection);
  assert.ok(!buffers.isFull(connect().connection));
});

test('an answer counts until it is read', () => {
  const { clock, buffers, connect } = start();
  const { socket, connection, write } = connect();
  write(399);
  assert.equal(connection.held.answer, 399);
  buffers.hold(connection, 'body', 1);
  assert.ok(buffers.isFull(connection));
  socket.writableLength = 0;
  clock.now += 1000;
  assert.ok(!buffers.isFull(connection));
});

test('an answer that does not fit any more is cut', () => {
  const { connect } = start();
  const { socket, connection, write } = connect();
  write(100);
  write(300);
  assert.ok(socket.destroyed);
  assert.equal(connection.address?.bytes, 400, 'until the connection has closed');
});

test('one answer may be longer than the share of an address that holds nothing else, while others leave room', () => {
  const { buffers, addressOf, connect } = start();
  const address = addressOf();
  const [alone, second] = [connect(address), connect(address)];
  alone.write(700);
  assert.ok(!alone.socket.destroyed);
  assert.ok(buffers.refusesRequests(second.connection));
  second.write(1);
  assert.ok(second.socket.destroyed, 'it has the whole share already');
  const [third, fourth] = [connect(), connect()];
  third.write(700);
  assert.ok(!third.socket.destroyed);
  fourth.write(700);
  assert.ok(fourth.socket.destroyed, 'the others have the total');
});

test('what a connection held is released when it closes, and nothing is held for it afterwards', () => {
  const { buffers, connect } = start();
  const { socket, connection, write } = connect();
  buffers.hold(connection, 'body', 100);
  buffers.hold(connection, 'waiting', 100);
  write(100);
  socket.destroyed = true;
  buffers.release(connection);
  buffers.hold(connection, 'body', 100);
  assert.deepEqual([connection.held, connection.address?.bytes], [{ answer: 0, body: 0, waiting: 0 }, 0]);
});

test('when a limit is reached, clients that read too slowly are disconnected, and others are not', () => {
  const { clock, buffers, connect } = start({ total: 100 * KIB, perAddress: 100 * KIB });
  const [slow, fast, idle] = [connect(), connect(), connect()];
  slow.write(64 * KIB);
  clock.now += leastReading.graceMs + 3_000;
  fast.write(20 * KIB);
  idle.write(1);
  idle.socket.writableLength = 0;
  buffers.hold(connect().connection, 'body', 16 * KIB);
  const { connection } = connect();
  assert.ok(buffers.isFull(connection), 'four seconds more are allowed for 64 KiB');
  clock.now += 2_000;
  assert.ok(!buffers.isFull(connection));
  assert.deepEqual(
    [slow, fast, idle].map(({ socket }) => socket.destroyed),
    [true, false, false],
  );
});
