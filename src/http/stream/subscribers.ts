// The clients of open streams: sends each what is new for it, as fast as it reads, and heartbeats between.
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Shorter than the 30 s after which an idle socket is closed, and than what proxies usually allow. */
export const HEARTBEAT_MS = 15_000;
/** Clients have their heartbeats in groups, one after another at this pace: a thousand writes at once would delay reads. */
const GROUP_MS = 50;
/** Clients that are sent new events in one turn of the event loop. */
const CLIENTS_PER_TURN = 50;

/** What one client is sent. It holds no bytes of its own while the client does not read. */
export interface Sending {
  /** The next bytes, which may be empty; undefined while there are none. `evicted`: they are gone, and the client is cut. */
  next(): Buffer | 'evicted' | undefined;
  heartbeat(): Buffer;
  /** The last bytes of a stream that the service ends. */
  farewell?: Buffer;
}

interface Subscriber {
  response: ServerResponse;
  sending: Sending;
  /** It has not read what was written: nothing more is written before it has. */
  blocked: boolean;
  /** It was blocked at the last heartbeat. */
  stalled: boolean;
}

export interface Subscribers {
  /** The head of the reply must have been written. */
  add(response: ServerResponse, sending: Sending): void;
  /** Sends what is new. */
  deliver(): void;
  /** Ends every stream, and closes its connection. */
  endAll(): void;
  stop(): void;
}

export function createSubscribers(heartbeatMs: number = HEARTBEAT_MS): Subscribers {
  const subscribers = new Set<Subscriber>();
  const groups = Array.from({ length: Math.ceil(heartbeatMs / GROUP_MS) }, () => new Set<Subscriber>());
  let added = 0;
  let beats = 0;

  /** What is not read waits in the socket's buffer, one `next` at most beyond its high-water mark. */
  const write = (subscriber: Subscriber, bytes: Buffer) => {
    if (!bytes.length || subscriber.response.write(bytes)) return;
    subscriber.blocked = true;
    subscriber.response.once('drain', () => {
      subscriber.blocked = false;
      subscriber.stalled = false;
      send(subscriber);
    });
  };
  const send = (subscriber: Subscriber) => {
    while (!subscriber.blocked && subscribers.has(subscriber)) {
      const bytes = subscriber.sending.next();
      if (bytes === undefined) return;
      if (bytes === 'evicted') return cut(subscriber);
      write(subscriber, bytes);
    }
  };
  const cut = (subscriber: Subscriber) => {
    subscribers.delete(subscriber);
    subscriber.response.destroy();
  };

  const beat = (subscriber: Subscriber) => {
    if (subscriber.blocked && subscriber.stalled) cut(subscriber);
    else if (subscriber.blocked) subscriber.stalled = true;
    else write(subscriber, subscriber.sending.heartbeat());
  };
  const timer = setInterval(() => {
    for (const subscriber of groups[beats++ % groups.length] ?? []) beat(subscriber);
  }, heartbeatMs / groups.length).unref();

  let delivering = false;
  let more = false;
  const deliver = async () => {
    more = true;
    if (delivering) return;
    delivering = true;
    while (more) {
      more = false;
      let sent = 0;
      for (const subscriber of subscribers) {
        send(subscriber);
        if (++sent % CLIENTS_PER_TURN === 0) await nextTurn();
      }
    }
    delivering = false;
  };

  return {
    add: (response, sending) => {
      const subscriber = { response, sending, blocked: false, stalled: false };
      const group = groups[added++ % groups.length];
      group?.add(subscriber);
      subscribers.add(subscriber);
      response.once('close', () => {
        group?.delete(subscriber);
        subscribers.delete(subscriber);
      });
      send(subscriber);
    },
    deliver: () => void deliver(),
    endAll: () => {
      for (const { response, sending } of subscribers) {
        // A client that does not read would hold up the shutdown.
        if (response.writableLength > 0) response.destroy();
        else response.end(sending.farewell);
      }
      subscribers.clear();
      for (const group of groups) group.clear();
    },
    stop: () => clearInterval(timer),
  };
}
