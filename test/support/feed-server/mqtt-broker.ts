// A broker of a few packets: sensors that send their chosen values over MQTT, a topic `city/PLACE/FIELD` for each.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { generate, type Packet, parser } from 'mqtt-packet';
import { dailyCurve } from './daily-curve.ts';
import type { Place, Values } from './view.ts';

export interface MqttBrokerOptions {
  places: readonly Place[];
  /** Names of the values that each place sends; the feed is `mqtt.FIELD`. */
  fields: readonly string[];
  /** Default: the real clock. */
  now?: () => number;
  /** Default: a curve over the day. */
  values?: Values;
  /** Default: any free one. */
  port?: number;
}

export interface MqttBroker {
  url: string;
  /** Those that are connected now. */
  connections(): number;
  /** What clients have sent to connect, oldest first. */
  logins: readonly { username: string | undefined; password: string | undefined }[];
  /** Every sensor sends its value of now to all that have subscribed; a payload stands in for all of them. */
  send(payload?: string): void;
  /** Ends all connections. */
  drop(): void;
  close(): Promise<void>;
}

/**
 * Whoever subscribes gets the values of that time as retained messages, which carry no time of their own. Filters are
 * not compared: everything is sent to everybody.
 */
export async function startMqttBroker({
  places,
  fields,
  now = Date.now,
  values = dailyCurve,
  port = 0,
}: MqttBrokerOptions): Promise<MqttBroker> {
  const sockets = new Set<Socket>();
  const subscribed = new Set<Socket>();
  const logins: { username: string | undefined; password: string | undefined }[] = [];
  const messages = (retain: boolean, payload?: string): Buffer[] =>
    places.flatMap((place) =>
      fields.map((field) => {
        const value = payload ?? String(values(`mqtt.${field}`, place, now()));
        const topic = `city/${place.id}/${field}`;
        return generate({ cmd: 'publish', topic, payload: value, retain, qos: 0, dup: false });
      }),
    );
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => {
      sockets.delete(socket);
      subscribed.delete(socket);
    });
    socket.on('error', () => {});
    const packets = parser();
    socket.on('data', (chunk) => packets.parse(chunk));
    packets.on('packet', (packet: Packet) => {
      if (packet.cmd === 'connect') {
        logins.push({ username: packet.username, password: packet.password?.toString() });
        socket.write(generate({ cmd: 'connack', returnCode: 0, sessionPresent: false }));
      } else if (packet.cmd === 'pingreq') socket.write(generate({ cmd: 'pingresp' }));
      else if (packet.cmd === 'subscribe') {
        const granted = packet.subscriptions.map(() => 0);
        socket.write(generate({ cmd: 'suback', messageId: packet.messageId ?? 0, granted }));
        subscribed.add(socket);
        for (const message of messages(true)) socket.write(message);
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    logins,
    send(payload) {
      for (const message of messages(false, payload)) for (const socket of subscribed) socket.write(message);
    },
    drop,
    async close() {
      const closed = once(server, 'close');
      server.close();
      drop();
      await closed;
    },
  };
}
