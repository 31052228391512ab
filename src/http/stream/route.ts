// GET /api/stream/live: what /api/stream would list, as it happens, as server-sent events.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getStream } from '../../operations/report/get-stream.ts';
import type { AppContext } from '../answers/app-context.ts';
import { knownInput } from '../answers/operation-runner.ts';
import { HttpError } from '../core/errors.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { bytesOfBatch, type EventBuffer, type Place } from './event-buffer.ts';
import { gapFrame, heartbeatFrame, openingFrame } from './event-frames.ts';
import { streamHeaders } from './headers.ts';
import { createLiveEvents } from './live-events.ts';
import type { OpenStreams } from './open-streams.ts';
import type { Sending } from './subscribers.ts';

export const LIVE_STREAM_PATH = '/api/stream/live';

export function serveLiveStream(
  app: FastifyInstance,
  context: AppContext,
  streams: OpenStreams,
  keptBytes: number | undefined,
  clientFor: (address: string) => ReadClient,
): void {
  const events = createLiveEvents(
    context,
    () => streams.deliver(),
    (err) => app.log.error({ err }, 'live events could not be read'),
    keptBytes,
  );
  streams.endWith(app, () => events.stop());

  app.get(LIVE_STREAM_PATH, async (request, reply) => {
    if (!acceptsEvents(request.headers.accept))
      throw new HttpError(406, 'this address sends only text/event-stream: accept must allow it');
    const client = clientFor(request.ip);
    client.take(1);
    const { pocket, pocket_id } = request.query as { pocket?: unknown; pocket_id?: unknown };
    const input = knownInput(context, getStream, { pocket, pocket_id }) as { pocket_id?: string };
    reply.headers(streamHeaders);
    // A stream, so that no length is stated.
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const place = streams.place(client.key, 'one stream without pocket carries the events of all');
    try {
      const { position, gapFrom, ...from } = await events.resume(readLastEventId(request));
      const first = Buffer.concat([
        ...(position ? [openingFrame(position)] : []),
        ...(gapFrom === undefined ? [] : [gapFrame(gapFrom)]),
      ]);
      const headers = reply.getHeaders() as Record<string, string>;
      const sending = eventsFrom(() => events.buffer, input.pocket_id, from);
      place.open(reply.raw, headers, sending, first);
      reply.hijack();
    } catch (error) {
      place.close();
      throw error;
    }
  });
}

/** The events of all pockets or one, from a place in the buffer on. */
function eventsFrom(
  currentBuffer: () => EventBuffer | undefined,
  pocket: string | undefined,
  { next, skip }: Place,
): Sending {
  return {
    next: () => {
      const batch = currentBuffer()?.at(next);
      if (batch === undefined || batch === 'evicted') return batch;
      const bytes = bytesOfBatch(batch, pocket, skip);
      next += 1;
      skip = 0;
      return bytes;
    },
    heartbeat: () => {
      const buffer = currentBuffer();
      return heartbeatFrame(next === buffer?.endIndex ? buffer.newest : undefined);
    },
  };
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
function readLastEventId({ headers, query }: FastifyRequest): string {
  const { last_event_id: inQuery } = query as { last_event_id?: unknown };
  const inHeader = headers['last-event-id'];
  if (typeof inHeader === 'string' && inHeader) return inHeader;
  return typeof inQuery === 'string' ? inQuery : '';
}
