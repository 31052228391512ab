// The clients of the live stream: sends each what is new in the buffer, as fast as it reads, and heartbeats between.
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesOfBatch, type EventBuffer, type Place } from './event-buffer.ts';
import { heartbeatFrame } from './event-frames.ts';

/** Shorter than the 30 s after which an idle socket is closed, and than what proxies usually allow. */
export const HEARTBEAT_MS = 15_000;
/** Clients have their heartbeats in groups, one after another at this pace: a thousand writes at once would delay reads. */
const GROUP_MS = 50;
/** Clients that are sent new events in one turn of the event loop. */
const CLIENTS_PER_TURN = 50;

interface Subscriber extends Place {
  response: ServerResponse;
  pocket: string | undefined;
  /** It has not read what was written: nothing more is written before it has. */
  blocked: boolean;
  /** It was blocked at the last heartbeat. */
  stalled: boolean;
}

export interface Subscribers {
  /** The head of the reply must have been written. */
  add(response: ServerResponse, pocket: string | undefined, place: Place): void;
  /** Sends what is new in the buffer. */
  deliver(): void;
  /** Ends every stream, and closes its connection. */
  endAll(): void;
  stop(): void;
}

export function createSubscribers(
  bufferOf: () => EventBuffer | undefined,
  heartbeatMs: number = HEARTBEAT_MS,
): Subscribers {
  const subscribers = new Set<Subscriber>();
  const groups = Array.from({ length: Math.ceil(heartbeatMs / GROUP_MS) }, () => new Set<Subscriber>());
  let added = 0;
  let beats = 0;

  /**
   * What is not read waits in the socket's buffer, one batch at most beyond its high-water mark. The rest waits in the
   * shared buffer.
   */
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
    const buffer = bufferOf();
    while (buffer && !subscriber.blocked && subscribers.has(subscriber)) {
      const batch = buffer.at(subscriber.next);
      if (batch === undefined) return;
      if (batch === 'evicted') return cut(subscriber);
      const bytes = bytesOfBatch(batch, subscriber.pocket, subscriber.skip);
      subscriber.next += 1;
      subscriber.skip = 0;
      write(subscriber, bytes);
    }
  };
  const cut = (subscriber: Subscriber) => {
    subscribers.delete(subscriber);
    subscriber.response.destroy();
  };

  const beat = (subscriber: Subscriber, bytes: Buffer) => {
    if (subscriber.blocked && subscriber.stalled) cut(subscriber);
    else if (subscriber.blocked) subscriber.stalled = true;
    else write(subscriber, bytes);
  };
  const timer = setInterval(() => {
    const group = groups[beats++ % groups.length];
    if (!group?.size) return;
    const buffer = bufferOf();
    const upToDate = heartbeatFrame(buffer?.newest);
    const behind = heartbeatFrame();
    for (const subscriber of group)
      beat(subscriber, subscriber.next === buffer?.endIndex ? upToDate : behind);
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
    add: (response, pocket, { next, skip }) => {
      const subscriber = { response, pocket, next, skip, blocked: false, stalled: false };
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
      for (const { response } of subscribers) {
        // A client that does not read would hold up the shutdown.
        if (response.writableLength > 0) response.destroy();
        else response.end();
      }
      subscribers.clear();
      for (const group of groups) group.clear();
    },
    stop: () => clearInterval(timer),
  };
}
