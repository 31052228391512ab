// The connection against a broker of a few packets: connect, subscribe, publish, and the ways in which it fails.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { generate, type IConnectPacket, type ISubscribePacket, type Packet, parser } from 'mqtt-packet';
import type { MqttMessage, MqttSettings } from './mqtt.ts';
import { type ConnectionState, listen } from './mqtt-connection.ts';

interface Broker {
  server: Server;
  sockets: Set<Socket>;
  connects: IConnectPacket[];
  subscribed: ISubscribePacket[];
  /** Answers the subscription. */
  granted: number[];
  returnCode: number;
  url: string;
}

let broker: Broker;

beforeEach(async () => {
  broker = {
    server: createServer(),
    sockets: new Set(),
    connects: [],
    subscribed: [],
    granted: [0],
    returnCode: 0,
    url: '',
  };
  broker.server.on('connection', (socket) => {
    broker.sockets.add(socket);
    socket.on('close', () => broker.sockets.delete(socket));
    socket.on('error', () => {});
    const packets = parser();
    socket.on('data', (chunk) => packets.parse(chunk));
    packets.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') {
        broker.connects.push(packet);
        socket.write(generate({ cmd: 'connack', returnCode: broker.returnCode, sessionPresent: false }));
      } else if (packet.cmd === 'subscribe') {
        broker.subscribed.push(packet);
        socket.write(generate({ cmd: 'suback', messageId: packet.messageId ?? 0, granted: broker.granted }));
        broker.server.emit('subscribed');
      }
    });
  });
  broker.server.listen(0, '127.0.0.1');
  await once(broker.server, 'listening');
  broker.url = `mqtt://127.0.0.1:${(broker.server.address() as AddressInfo).port}`;
});

afterEach(() => {
  for (const socket of broker.sockets) socket.destroy();
  broker.server.close();
});

const publish = (topic: string, payload: string | Buffer, retain = false): void => {
  for (const socket of broker.sockets)
    socket.write(generate({ cmd: 'publish', topic, payload, retain, qos: 0, dup: false }));
};

/** A length as packets state it, seven bits a byte. */
const lengthBytes = (length: number): number[] =>
  length < 128 ? [length] : [(length % 128) + 128, ...lengthBytes(Math.floor(length / 128))];

const feed = (): { id: string; settings: MqttSettings } => ({
  id: 'a',
  settings: { url: broker.url, topics: [{ topic: 'city/+place/n', payload: 'number', fields: { n: '' } }] },
});

/** Listens until the test says that it has seen enough. */
function listening(onMessage: (message: MqttMessage) => void = () => {}) {
  const stop = new AbortController();
  const states: ConnectionState[] = [];
  const reasons: string[] = [];
  const waiting: [state: ConnectionState, count: number, done: () => void][] = [];
  const done = listen(
    feed(),
    {
      onMessage,
      onState(state, reason) {
        states.push(state);
        reasons.push(reason);
        for (const [wanted, count, resolve] of waiting)
          if (states.filter((seen) => seen === wanted).length >= count) resolve();
      },
    },
    stop.signal,
    { username: 'sensor', password: 'secret', allow_private: true, reconnect_ms: 20 },
  );
  const reaches = (state: ConnectionState, count = 1): Promise<void> =>
    new Promise((resolve) => {
      if (states.filter((seen) => seen === state).length >= count) resolve();
      else waiting.push([state, count, resolve]);
    });
  return { done, states, reasons, reaches, stop: () => stop.abort() };
}

describe('a connection', { timeout: 20_000 }, () => {
  test('subscribes with plain filters, hands messages on in order and ends with the signal', async () => {
    const got: string[] = [];
    const all = Promise.withResolvers<void>();
    const { done, reaches, states, stop } = listening(({ topic, payload, retained }) => {
      got.push(`${topic} ${Buffer.from(payload)} ${retained}`);
      if (got.length === 3) all.resolve();
    });
    await reaches('connected');
    publish('city/a/n', '1', true);
    publish('city/a/n', '2');
    publish('city/b/n', '3');
    await all.promise;
    stop();
    await done;
    assert.deepEqual(got, ['city/a/n 1 true', 'city/a/n 2 false', 'city/b/n 3 false']);
    assert.deepEqual(states, ['connected']);
    assert.deepEqual(
      broker.subscribed[0]?.subscriptions.map(({ topic }) => topic),
      ['city/+/n'],
    );
    const [{ username, password } = {}] = broker.connects;
    assert.deepEqual([username, String(password)], ['sensor', 'secret']);
  });

  test('comes back after a loss and subscribes again; each state is told once', async () => {
    const { done, reaches, states, stop } = listening();
    await reaches('connected');
    for (const socket of broker.sockets) socket.destroy();
    await reaches('connected', 2);
    stop();
    await done;
    assert.deepEqual(states, ['connected', 'disconnected', 'connected']);
    assert.equal(broker.subscribed.length, 2);
  });

  test('keeps trying while the broker refuses, and tells it once, without the password', async () => {
    broker.returnCode = 5;
    const { done, reaches, states, reasons, stop } = listening();
    await reaches('disconnected');
    while (broker.connects.length < 3) await once(broker.server, 'connection');
    broker.returnCode = 0;
    await reaches('connected');
    stop();
    await done;
    assert.deepEqual(states, ['disconnected', 'connected']);
    assert.match(reasons[0] ?? '', /^127\.0\.0\.1:\d+ refused the username or password$/);
  });

  test('tells that a topic was refused', async () => {
    broker.granted = [128];
    const { done, reaches, states, stop } = listening();
    await reaches('refused');
    stop();
    await done;
    assert.deepEqual(states, ['refused']);
  });

  test('is closed at the header of a packet that is too large, before the packet is in memory', async () => {
    const got: string[] = [];
    const { done, reaches, reasons, stop } = listening(({ topic }) => got.push(topic));
    await reaches('connected');
    // The fixed header of a message of 200 MB, and then bytes for as long as the connection takes them.
    const [socket] = broker.sockets;
    assert.ok(socket);
    const before = socket.bytesWritten;
    socket.write(Buffer.from([0x30, ...lengthBytes(200 * 1024 * 1024)]));
    const flood = Buffer.alloc(64 * 1024);
    while (!socket.destroyed && socket.bytesWritten - before < 200 * 1024 * 1024)
      if (!socket.write(flood))
        await new Promise((resolve) => {
          for (const event of ['drain', 'close']) socket.once(event, resolve);
        });
    await reaches('disconnected');
    assert.match(reasons.at(-1) ?? '', /^127\.0\.0\.1:\d+ sent a message larger than 1024 KiB$/);
    // What the two ends of the connection hold, and no more of it.
    assert.ok(socket.bytesWritten - before < 40 * 1024 * 1024, `${socket.bytesWritten - before} bytes`);
    await reaches('connected', 2);
    publish('city/a/n', '1');
    while (got.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop();
    await done;
    assert.deepEqual(got, ['city/a/n']);
  });

  test('is closed where messages would be kept until the broker goes on, or are no packets', async () => {
    const { done, reaches, reasons, stop } = listening();
    await reaches('connected');
    for (const socket of broker.sockets)
      socket.write(
        generate({
          cmd: 'publish',
          topic: 'city/a/n',
          payload: '1',
          retain: false,
          qos: 2,
          dup: false,
          messageId: 7,
        }),
      );
    await reaches('disconnected');
    assert.match(reasons.at(-1) ?? '', /in a way that was not asked for \(qos 2\)$/);
    await reaches('connected', 2);
    for (const socket of broker.sockets) socket.write(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01]));
    await reaches('disconnected', 2);
    assert.match(reasons.at(-1) ?? '', /sent something that is not MQTT$/);
    stop();
    await done;
  });

  test('is not made to an address inside a private network', async () => {
    const { signal } = new AbortController();
    const handlers = { onMessage: () => {}, onState: () => {} };
    await assert.rejects(listen(feed(), handlers, signal), /^FetchError: 127\.0\.0\.1 is inside a private/);
    const { port } = new URL(broker.url);
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const protocol of ['mqtt', 'mqtts', 'ws', 'wss']) {
      const url = `${protocol}://broker.example:${port}`;
      const named = { id: 'a', settings: { ...feed().settings, url } };
      await assert.rejects(
        listen(named, handlers, signal, { resolve }),
        /^FetchError: broker\.example is inside a private network/,
        protocol,
      );
    }
    assert.equal(broker.connects.length, 0);
  });
});
