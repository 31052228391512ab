// `subscriptions/listen` over HTTP: the reply to the request is a stream, which says when a pocket was read anew.
import type { ServerResponse } from 'node:http';
import type { AppContext } from '../../answers/app-context.ts';
import { HttpError } from '../../core/errors.ts';
import { heartbeatFrame } from '../../stream/event-frames.ts';
import type { OpenStreams } from '../../stream/open-streams.ts';
import { errorCodes, failure, type Id, type McpReply, refusalReply } from '../json-rpc.ts';
import type { PocketUpdates } from './pocket-updates.ts';
import { MAX_LISTENED, readSubscription } from './subscription.ts';

/** `address` is the key of the client's limits. */
export type Listen = (id: Id, params: Record<string, unknown>, address: string) => McpReply;

const FEWER_STREAMS = `one stream takes up to ${MAX_LISTENED} pockets: name them all in one subscriptions/listen`;

export const listener =
  (context: Pick<AppContext, 'registry'>, streams: OpenStreams, updates: PocketUpdates): Listen =>
  (id, params, address) => {
    const asked = readSubscription(context, id, params);
    if ('fault' in asked) return invalid(id, asked.fault);
    const { pockets, updateMessage } = asked;
    const [acknowledged, farewell] = [messageFrame(asked.acknowledged), messageFrame(asked.farewell)];
    if (!pockets.size)
      return streamReply((response, headers) => {
        response.writeHead(200, headers).end(Buffer.concat([acknowledged, farewell]));
      });
    try {
      const place = streams.place(address, FEWER_STREAMS);
      return streamReply((response, headers) => {
        // A pocket that is read twice before the client has taken the first notification is told once.
        const waiting = new Set<string>();
        const unsubscribe = updates.subscribe((read) => {
          for (const pocket of pockets) if (read.has(pocket)) waiting.add(pocket);
        });
        response.once('close', unsubscribe);
        const next = () => {
          if (!waiting.size) return undefined;
          const frames = [...waiting].map((pocket) => messageFrame(updateMessage(pocket)));
          waiting.clear();
          return Buffer.concat(frames);
        };
        place.open(response, headers, { next, heartbeat: () => heartbeatFrame(), farewell }, acknowledged);
        if (response.destroyed) unsubscribe();
      });
    } catch (error) {
      if (error instanceof HttpError) return refusalReply(id, error);
      throw error;
    }
  };

const streamReply = (stream: (response: ServerResponse, headers: string[]) => void): McpReply => ({
  status: 200,
  body: '' as McpReply['body'],
  stream,
});

const invalid = (id: Id, message: string): McpReply => ({
  status: 200,
  body: failure(id, errorCodes.invalidParams, `invalid params: ${message}`),
});

const messageFrame = (message: object): Buffer =>
  Buffer.from(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
