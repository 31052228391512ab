// GET /api/stream/live: what /api/stream would list, as it happens, as server-sent events.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getStream } from '../../operations/report/get-stream.ts';
import type { SharedLimit } from '../connections/buffered-bytes.ts';
import { neverEnds } from '../connections/in-order.ts';
import type { AppContext } from '../core/app-context.ts';
import { isShuttingDown, onDrain } from '../core/drain.ts';
import { HttpError } from '../core/errors.ts';
import { knownInput } from '../core/operation-runner.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { gapFrame, openingFrame } from './event-frames.ts';
import { createLiveEvents } from './live-events.ts';
import { createSubscribers } from './subscribers.ts';

export const LIVE_STREAM_PATH = '/api/stream/live';

/** How many streams may be open at once. */
export interface StreamLimits extends SharedLimit {
  heartbeatMs?: number;
  /** Memory for the events that clients can resume from. */
  keptBytes?: number;
}

const RETRY_IN_SECONDS = 30;
const RETRY_AFTER_STOP_SECONDS = 2;

export function serveLiveStream(
  app: FastifyInstance,
  context: AppContext,
  limits: StreamLimits,
  clientOf: (address: string) => ReadClient,
): void {
  const subscribers = createSubscribers(() => events.buffer, limits.heartbeatMs);
  const events = createLiveEvents(
    context,
    () => subscribers.deliver(),
    (err) => app.log.error({ err }, 'live events could not be read'),
    limits.keptBytes,
  );
  const open = countStreams(limits);
  const end = () => {
    subscribers.endAll();
    subscribers.stop();
    events.stop();
  };
  onDrain(app.server, end);
  app.addHook('preClose', async () => end());

  app.get(LIVE_STREAM_PATH, async (request, reply) => {
    if (!acceptsEvents(request.headers.accept))
      throw new HttpError(406, 'this address sends text/event-stream alone: accept must allow it');
    const client = clientOf(request.ip);
    client.take(1);
    const { pocket } = request.query as { pocket?: unknown };
    const input = knownInput(context, getStream, { pocket }) as { pocket_id?: string };
    reply
      .type('text/event-stream; charset=utf-8')
      // Tells nginx not to collect the events of a minute before it passes them on.
      .header('x-accel-buffering', 'no')
      .header('connection', 'close');
    // A stream, so that no length is stated.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const close = open(client.key);
    try {
      const { position, gapFrom, ...place } = await events.resume(lastEventIdOf(request));
      if (isShuttingDown(app.server))
        throw new HttpError(503, 'the service is stopping', {}, RETRY_AFTER_STOP_SECONDS);
      const response = reply.hijack().raw;
      response.once('close', close);
      neverEnds(response);
      if (response.destroyed) return close();
      response.writeHead(200, reply.getHeaders() as Record<string, string>);
      if (position) response.write(openingFrame(position));
      if (gapFrom !== undefined) response.write(gapFrame(gapFrom));
      subscribers.add(response, input.pocket_id, place);
    } catch (error) {
      close();
      throw error;
    }
  });
}

/** Whether the Accept header allows text/event-stream; a client that sends none allows everything. */
export function acceptsEvents(accept = ''): boolean {
  if (!accept.trim()) return true;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !refused && ['text/event-stream', 'text/*', '*/*'].includes(type);
  });
}

/** The header is what a client sends when it reconnects by itself, and so newer than what is in its address. */
function lastEventIdOf({ headers, query }: FastifyRequest): string {
  const { last_event_id: inQuery } = query as { last_event_id?: unknown };
  const inHeader = headers['last-event-id'];
  if (typeof inHeader === 'string' && inHeader) return inHeader;
  return typeof inQuery === 'string' ? inQuery : '';
}

/** Counts open streams, in all and by address; throws a 503 beyond the limits. The returned function ends one. */
function countStreams({ total, perAddress }: SharedLimit): (address: string) => () => void {
  const ofAddress = new Map<string, number>();
  let count = 0;
  return (address) => {
    const own = ofAddress.get(address) ?? 0;
    if (count >= total || own >= perAddress)
      throw new HttpError(
        503,
        'too many live streams are open: try again in a while',
        { hint: 'one stream without pocket carries the events of all', retry_in_seconds: RETRY_IN_SECONDS },
        RETRY_IN_SECONDS,
      );
    count += 1;
    ofAddress.set(address, own + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      count -= 1;
      const left = (ofAddress.get(address) ?? 1) - 1;
      if (left) ofAddress.set(address, left);
      else ofAddress.delete(address);
    };
  };
}
