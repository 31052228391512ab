// `subscriptions/listen` of 2026-07-28: the reply to the request is a stream, which says when a pocket was read anew.
import type { ServerResponse } from 'node:http';
import { isObject } from '../../../operations/core/arguments.ts';
import { type AppContext, SERVER } from '../../core/app-context.ts';
import { HttpError } from '../../core/errors.ts';
import { heartbeatFrame } from '../../stream/event-frames.ts';
import type { OpenStreams } from '../../stream/open-streams.ts';
import { errorCodes, failure, type Id, type McpReply, refused } from '../json-rpc.ts';
import { pocketAt, pocketUri } from '../resources/resources.ts';
import { SERVER_INFO_KEY } from '../versions.ts';
import type { PocketUpdates } from './pocket-updates.ts';

/** Pockets of one stream. */
export const MAX_LISTENED = 100;
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

/** `address` is the key of the client's limits. */
export type Listen = (id: Id, params: Record<string, unknown>, address: string) => McpReply;

export const listener =
  (context: Pick<AppContext, 'registry'>, streams: OpenStreams, updates: PocketUpdates): Listen =>
  (id, { notifications }, address) => {
    const asked = isObject(notifications) ? (notifications.resourceSubscriptions ?? []) : undefined;
    if (!Array.isArray(asked) || !asked.every((uri) => typeof uri === 'string'))
      return invalid(
        id,
        'notifications must be an object, and its resourceSubscriptions a list of addresses',
      );
    if (asked.length > MAX_LISTENED) return invalid(id, `at most ${MAX_LISTENED} resources in one stream`);
    // What is not offered is left out, as the protocol says; the client sees it in the acknowledgement.
    const pockets = new Set(asked.flatMap((uri) => pocketAt(uri, context)?.id ?? []));
    const uris = [...pockets].map(pocketUri);
    const _meta = { [SUBSCRIPTION_KEY]: id };
    const acknowledged = frameOf({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: uris.length ? { resourceSubscriptions: uris } : {} },
    });
    const farewell = frameOf({
      id,
      result: { resultType: 'complete', _meta: { ..._meta, [SERVER_INFO_KEY]: SERVER } },
    });
    if (!uris.length)
      return streamReply((response, headers) => {
        response.writeHead(200, headers).end(Buffer.concat([acknowledged, farewell]));
      });
    try {
      const place = streams.place(address);
      return streamReply((response, headers) => {
        // A pocket that is read twice before the client has taken the first notification is told once.
        const waiting = new Set<string>();
        const unsubscribe = updates.subscribe((read) => {
          for (const pocket of pockets) if (read.has(pocket)) waiting.add(pocketUri(pocket));
        });
        response.once('close', unsubscribe);
        const next = () => {
          if (!waiting.size) return undefined;
          const frames = [...waiting].map((uri) =>
            frameOf({ method: 'notifications/resources/updated', params: { _meta, uri } }),
          );
          waiting.clear();
          return Buffer.concat(frames);
        };
        place.open(response, headers, { next, heartbeat: () => heartbeatFrame(), farewell }, acknowledged);
        if (response.destroyed) unsubscribe();
      });
    } catch (error) {
      if (error instanceof HttpError) return refused(id, error);
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

const frameOf = (message: object): Buffer =>
  Buffer.from(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
