// Routes of the stream of events as RSS and JSON Feed, rendered by src/web/site/feeds.ts.
import type { FastifyInstance } from 'fastify';
import { getStream } from '../../operations/report/get-stream.ts';
import { type Feed, jsonFeed, rssFeed } from '../../web/site/feeds.ts';
import { bytesOf, toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendComputedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { AppContext } from '../core/app-context.ts';
import type { OperationRunner } from '../core/operation-runner.ts';
import type { ReadClient } from '../heavy/cost.ts';

/** The stream of one pocket has an address of its own, which readers can subscribe to from its page. */
const feeds = {
  '/pocket/:pocket_id/stream.rss': { type: 'application/rss+xml; charset=utf-8', render: rssFeed },
  '/stream.rss': { type: 'application/rss+xml; charset=utf-8', render: rssFeed },
  '/feed.json': { type: 'application/feed+json; charset=utf-8', render: jsonFeed },
} as const;

/** The query parameters are those of /api/stream. */
export function serveFeeds(
  app: FastifyInstance,
  { baseUrl, zone, substrate, registry }: AppContext,
  runner: OperationRunner,
  replies: ReplyCache,
  clientOf: (address: string) => ReadClient,
): void {
  const names = new Map(registry.pockets.map(({ id, name }) => [id, name]));
  const nameOf = (id: string) => names.get(id) ?? id;
  for (const [path, { type, render }] of Object.entries(feeds)) {
    app.get(path, async (request, reply) => {
      const client = clientOf(request.ip);
      client.take(1);
      // A feed is the newest page, with every field.
      const { cursor: _page, fields: _columns, ...query } = request.query as Record<string, unknown>;
      const { pocket_id } = request.params as { pocket_id?: string };
      const given = { ...query, ...(pocket_id !== undefined && { pocket: pocket_id }) };
      return sendComputedReply(request, reply, replies, getStream, async () => {
        const answer = await runner.rest(getStream, given, client);
        const stream = JSON.parse(bytesOf(answer).toString()) as Pick<Feed, 'pocket_id' | 'events' | '_meta'>;
        const address = `${baseUrl}${request.url}`;
        const body = render({ ...stream, baseUrl, zone, address, substrate, nameOf });
        return toCachedReply(type, toLatin1Body(body));
      });
    });
  }
}
