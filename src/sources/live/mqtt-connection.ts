// The connection to an MQTT broker: subscribes, reconnects, and hands messages on one at a time.
import { connect } from 'mqtt';
import type { FeedOf } from '../core/adapter.ts';
import { type MqttMessage, type MqttSettings, subscriptionsOf } from './mqtt.ts';

/** Told once when it changes, not at each failure. */
export type ConnectionState = 'connected' | 'disconnected' | 'refused' | 'overloaded';

export interface MqttHandlers {
  /** Messages come in order; the next waits until this one is done. An error ends the listening. */
  onMessage(message: MqttMessage): Promise<void> | void;
  /** `reason` holds no password and is safe to log. */
  onState(state: ConnectionState, reason: string): void;
}

export interface MqttAccess {
  username?: string;
  password?: string;
  /** Longest wait before another attempt, in milliseconds. */
  reconnect_ms?: number;
}

/** A sensor sends a few hundred bytes; what is larger is no measurement. */
const MOST_BYTES = 256 * 1024;
/** Messages that wait for the handler. Beyond it the oldest are dropped: newer values replace them anyway. */
const MOST_WAITING = 1000;

/** Resolves when the signal aborts and the connection is closed; rejects with an error of the handler. */
export async function listen(
  feed: FeedOf<MqttSettings>,
  { onMessage, onState }: MqttHandlers,
  signal: AbortSignal,
  { reconnect_ms = 60_000, ...credentials }: MqttAccess = {},
): Promise<void> {
  if (signal.aborted) return;
  const topics = subscriptionsOf(feed.settings);
  let state: ConnectionState | null = null;
  const enter = (next: ConnectionState, reason: string): void => {
    if (state === next) return;
    state = next;
    onState(next, reason);
  };

  const waiting: MqttMessage[] = [];
  let working = false;
  const ended = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let message = waiting.shift(); message && !signal.aborted; message = waiting.shift())
      await onMessage(message);
    working = false;
    if (state === 'overloaded') enter('connected', 'the messages that waited are read');
  };

  const client = connect(feed.settings.url, {
    ...credentials,
    clean: true,
    connectTimeout: 10_000,
    reconnectPeriod: Math.min(1000, reconnect_ms),
    // A refusal may be a broker that is still starting, or a password that is being changed.
    reconnectOnConnackError: true,
    resubscribe: false,
  });
  let attempts = 0;
  let lost = 'the broker closed the connection';
  client.on('connect', () => {
    attempts = 0;
    client.subscribe(topics, { qos: 0 }, (error, granted) => {
      const refused = error || granted?.some(({ qos }) => qos >= 128);
      if (refused) enter('refused', 'the broker refused a topic');
      else enter('connected', `subscribed to ${topics.length} topics`);
    });
  });
  client.on('error', ({ message }) => {
    lost = message;
  });
  client.on('close', () => {
    if (signal.aborted) return;
    enter('disconnected', lost);
    // Twice as long each time, with jitter, so that many listeners do not come back at once.
    attempts += 1;
    const longest = Math.min(reconnect_ms, 1000 * 2 ** Math.min(attempts, 10));
    client.options.reconnectPeriod = longest * (0.5 + Math.random() / 2);
  });
  client.on('message', (topic, payload, { retain }) => {
    if (payload.length > MOST_BYTES) return;
    if (waiting.length >= MOST_WAITING) {
      waiting.shift();
      enter('overloaded', `more than ${MOST_WAITING} messages wait: the oldest are dropped`);
    }
    waiting.push({ topic, payload, retained: retain });
    work().catch(ended.reject);
  });

  signal.addEventListener('abort', () => ended.resolve(), { once: true });
  try {
    await ended.promise;
  } finally {
    await client.endAsync(true);
  }
}
