// The streams that are open: how many there may be, in all and for each address, and who is sent what.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { SharedLimit } from '../connections/buffered-bytes.ts';
import { neverEnds } from '../connections/in-order.ts';
import { onDrain } from '../core/drain.ts';
import { HttpError } from '../core/errors.ts';
import { createSubscribers, type Sending } from './subscribers.ts';

/** How many streams may be open at once. */
export interface StreamLimits extends SharedLimit {
  heartbeatMs?: number;
  /** Memory for the events that clients can resume from. */
  keptBytes?: number;
}

/** A stream that is counted, and not open yet. */
export interface Place {
  /** Sends the head, then what there is to send, until either side ends it. */
  open(
    response: ServerResponse,
    headers: string[] | Record<string, string>,
    sending: Sending,
    first?: Buffer,
  ): void;
  /** Gives the place back if the stream is not opened. */
  close(): void;
}

export interface OpenStreams {
  /** Throws a 503 beyond the limits, and while the service stops. `address` is a key of limits, `hint` how to need fewer. */
  place(address: string, hint: string): Place;
  /** How many are open. */
  count(): number;
  /** Sends every client what is new for it. */
  deliver(): void;
  /** Ends all streams when the server begins to shut down; `alsoEnd` is called then too. */
  endWith(app: FastifyInstance, alsoEnd: () => void): void;
}

const RETRY_IN_SECONDS = 30;
const RETRY_AFTER_STOP_SECONDS = 2;

export function createOpenStreams({ total, perAddress, heartbeatMs }: StreamLimits): OpenStreams {
  const subscribers = createSubscribers(heartbeatMs);
  const ofAddress = new Map<string, number>();
  let count = 0;
  let stopping = false;
  const checkStopping = () => {
    if (stopping) throw new HttpError(503, 'the service is stopping', {}, RETRY_AFTER_STOP_SECONDS);
  };
  return {
    place: (address, hint) => {
      checkStopping();
      const own = ofAddress.get(address) ?? 0;
      if (count >= total || own >= perAddress)
        throw new HttpError(
          503,
          'too many live streams are open: try again in a while',
          { hint, retry_in_seconds: RETRY_IN_SECONDS },
          RETRY_IN_SECONDS,
        );
      count += 1;
      ofAddress.set(address, own + 1);
      let ended = false;
      const close = () => {
        if (ended) return;
        ended = true;
        count -= 1;
        const left = (ofAddress.get(address) ?? 1) - 1;
        if (left) ofAddress.set(address, left);
        else ofAddress.delete(address);
      };
      return {
        close,
        open: (response, headers, sending, first) => {
          checkStopping();
          response.once('close', close);
          neverEnds(response);
          if (response.destroyed) return close();
          response.writeHead(200, headers);
          if (first?.length) response.write(first);
          subscribers.add(response, sending);
        },
      };
    },
    count: () => count,
    deliver: () => subscribers.deliver(),
    endWith: (app, alsoEnd) => {
      const end = () => {
        stopping = true;
        subscribers.endAll();
        subscribers.stop();
        alsoEnd();
      };
      onDrain(app.server, end);
      app.addHook('preClose', async () => end());
    },
  };
}
