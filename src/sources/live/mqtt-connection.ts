// The connection to an MQTT broker: subscribes, reconnects, and hands each message on as it comes.
import { createConnection, type LookupFunction } from 'node:net';
import { connect, type IClientOptions, MqttClient } from 'mqtt';
import type { FeedOf } from '../core/adapter.ts';
import { checkedLookup, checkLiteral, type Resolve, systemResolve } from '../core/checked-lookup.ts';
import { FetchError } from '../core/fetch-error.ts';
import { type MqttMessage, type MqttSettings, topicFilters } from './mqtt.ts';
import { MOST_PACKET_BYTES, packetGuard, tooLarge } from './mqtt-packets.ts';

/** Told once when it changes, not at each failure. */
export type ConnectionState = 'connected' | 'disconnected' | 'refused';

export interface MqttHandlers {
  /** Must not block: messages are not held back here. */
  onMessage(message: MqttMessage): void;
  /** `reason` is in our own words and holds no password: it may be logged and served. */
  onState(state: ConnectionState, reason: string): void;
}

export interface MqttAccess {
  username?: string;
  password?: string;
  /** The broker may be inside a private network. */
  allow_private?: boolean;
  /** Addresses of a name; tests replace it. */
  resolve?: Resolve;
  /** Longest wait before another attempt, in milliseconds. */
  reconnect_ms?: number;
}

/**
 * Resolves when the signal aborts and the connection is closed. Rejects with a `FetchError` where the broker is inside
 * a private network and that is not allowed: another attempt would not help.
 */
export async function listen(
  feed: FeedOf<MqttSettings>,
  { onMessage, onState }: MqttHandlers,
  signal: AbortSignal,
  access: MqttAccess = {},
): Promise<void> {
  const { reconnect_ms = 60_000, allow_private = false, resolve = systemResolve, ...credentials } = access;
  if (signal.aborted) return;
  const topics = topicFilters(feed.settings);
  const url = new URL(feed.settings.url);
  checkLiteral(url.hostname, allow_private);
  const ended = Promise.withResolvers<void>();
  const checked = checkedLookup(resolve, allow_private);
  const lookup: LookupFunction = (host, options, callback) =>
    checked(host, options, (error, address, family) => {
      if (error instanceof FetchError && error.fault === 'forbidden') ended.reject(error);
      callback(error, address, family);
    });

  let state: ConnectionState | null = null;
  const enter = (next: ConnectionState, reason: string): void => {
    if (state === next || signal.aborted) return;
    state = next;
    onState(next, reason);
  };
  const client = open(url, lookup, {
    ...credentials,
    manualConnect: true,
    clean: true,
    connectTimeout: 10_000,
    reconnectPeriod: Math.min(1000, reconnect_ms),
    // A refusal may be a broker that is still starting, or a password that is being changed.
    reconnectOnConnackError: true,
    resubscribe: false,
  });
  let attempts = 0;
  let lost: unknown;
  /** Connections in a row that were closed here for what the broker sent. */
  let breaches = 0;
  guardPackets(client, url.host, (error) => {
    lost = error;
    breaches += 1;
  });
  client.on('connect', () => {
    // A broker that sends the same thing again whenever it is asked is asked less and less often.
    attempts = breaches;
    lost = undefined;
    client.subscribe(topics, { qos: 0 }, (error, granted, packet) => {
      // Without an answer the connection closed before it came: `close` tells that.
      if (error && !packet) return;
      if (error || granted?.some(({ qos }) => qos >= 128)) enter('refused', 'the broker refused a topic');
      else enter('connected', '');
    });
  });
  client.on('error', (error) => {
    lost = error;
  });
  client.on('close', () => {
    enter('disconnected', lossReason(lost, url.host));
    // Twice as long each time, with jitter, so that many listeners do not come back at once.
    attempts += 1;
    const longest = Math.min(reconnect_ms, 1000 * 2 ** Math.min(attempts, 10));
    client.options.reconnectPeriod = longest * (0.5 + Math.random() / 2);
  });
  client.on('message', (topic, payload, { retain }) => {
    // A retained one comes at once, before the one that is refused.
    if (!retain) breaches = 0;
    if (!signal.aborted) onMessage({ topic, payload, retained: retain });
  });

  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  // A client that is still to be connected by hand would connect again after its end.
  client.options.manualConnect = false;
  client.connect();
  try {
    await ended.promise;
  } finally {
    await client.endAsync(true);
  }
}

/** Closes each connection of the client at the header of a packet that is not read, before the packet is in memory. */
function guardPackets(client: MqttClient, host: string, refused: (error: FetchError) => void): void {
  const connectOnce = client.connect.bind(client);
  client.connect = () => {
    connectOnce();
    const { stream } = client;
    const check = packetGuard(host);
    stream.on('data', (chunk: Uint8Array) => {
      if (stream.destroyed) return;
      try {
        check(chunk);
      } catch (error) {
        refused(error as FetchError);
        stream.destroy();
      }
    });
    return client;
  };
}

/**
 * The library passes no `lookup` to a plain connection, so that one is opened here. The others get the host that was
 * checked and not the address: the library reads addresses with another parser.
 */
function open(url: URL, lookup: LookupFunction, options: IClientOptions): MqttClient {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol === 'mqtt:')
    return new MqttClient(() => createConnection({ host, port: Number(url.port || 1883), lookup }), options);
  const isTls = url.protocol === 'mqtts:';
  return connect({
    ...options,
    protocol: url.protocol.slice(0, -1),
    hostname: isTls ? host : url.hostname,
    ...(url.port && { port: Number(url.port) }),
    path: url.pathname + url.search,
    lookup,
    // One message of a websocket may hold a few packets; it is held in memory as well, and unpacked.
    wsOptions: { lookup, maxPayload: 2 * MOST_PACKET_BYTES, perMessageDeflate: false },
  } as IClientOptions);
}

/** What brokers answer to a connection: MQTT 3.1.1, section 3.2.2.3. */
const refusals: Record<number, string> = {
  1: 'refused the version of the protocol',
  2: 'refused the name of the client',
  3: 'is not available',
  4: 'refused the username or password',
  5: 'refused the username or password',
};

/** Messages of the system and of the broker may hold addresses and other texts; only codes are passed on. */
function lossReason(error: unknown, host: string): string {
  if (error instanceof FetchError) return error.message;
  // By the library of websockets, which counts the bytes itself.
  if ((error as { code?: unknown } | undefined)?.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return tooLarge(host).message;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'number') return `${host} ${refusals[code] ?? `refused the connection (${code})`}`;
  if (typeof code === 'string') return `${host} cannot be reached (${code})`;
  return error === undefined ? `${host} closed the connection` : `${host} cannot be reached`;
}
