// Routes of events as RSS and JSON Feed, rendered by src/web/site/feeds.ts.

import type { FastifyInstance } from 'fastify';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { getStream } from '../../operations/report/get-stream.ts';
import { type Feed, type FeedType, jsonFeed, rssFeed } from '../../web/site/feeds.ts';
import type { AppContext } from '../answers/app-context.ts';
import type { OperationRunner } from '../answers/operation-runner.ts';
import { ignoredNames, queryParameters } from '../answers/rest-parameters.ts';
import { rawBytes, toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendComputedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { ReadClient } from '../heavy/cost.ts';

const RSS = { mediaType: 'application/rss+xml; charset=utf-8', render: rssFeed };

/**
 * What was said, and apart from it how forecasts turned out: there are hundreds of those to one line. Those of one pocket
 * have addresses of their own, which readers can subscribe to from its page. `fixed`: the query cannot change the type.
 */
const feeds: Record<string, typeof RSS & { type: FeedType; fixed?: true }> = {
  '/pocket/:pocket_id/stream.rss': { ...RSS, type: 'narration' },
  '/stream.rss': { ...RSS, type: 'narration' },
  '/feed.json': {
    mediaType: 'application/feed+json; charset=utf-8',
    render: jsonFeed,
    type: 'narration',
  },
  '/pocket/:pocket_id/forecasts.rss': { ...RSS, type: 'prediction', fixed: true },
  '/forecasts.rss': { ...RSS, type: 'prediction', fixed: true },
};

/** A feed is the newest page, with every field. */
const feedParameters = queryParameters(getStream).filter((name) => name !== 'cursor' && name !== 'fields');

/** The query parameters are those of /api/stream; they have been checked when a feed is rendered. */
export function serveFeeds(
  app: FastifyInstance,
  { baseUrl, zone, substrate, registry }: AppContext,
  runner: OperationRunner,
  replies: ReplyCache,
  clientFor: (address: string) => ReadClient,
): void {
  const pocketName = (id: string) => findPocket(registry, id)?.name ?? id;
  for (const [path, { mediaType, render, type, fixed }] of Object.entries(feeds)) {
    const known = feedParameters.filter((name) => !(fixed && name === 'type'));
    app.get(path, async (request, reply) => {
      const client = clientFor(request.ip);
      client.take(1);
      const { cursor: _page, fields: _columns, ...query } = request.query as Record<string, unknown>;
      const { pocket_id } = request.params as { pocket_id?: string };
      const given = {
        type,
        ...query,
        ...(fixed && { type }),
        // By both of its names: the path says which pocket, whatever the query does.
        ...(pocket_id !== undefined && { pocket: pocket_id, pocket_id }),
      };
      const ignored = ignoredNames(request.query, known);
      return sendComputedReply(request, reply, replies, getStream, async () => {
        const answer = await runner.rest(getStream, given, client);
        const stream = JSON.parse(rawBytes(answer).toString()) as Pick<
          Feed,
          'pocket_id' | 'events' | '_meta'
        >;
        const address = `${baseUrl}${request.url}`;
        const body = render({
          ...stream,
          _meta: { ...stream._meta, ...(ignored.length && { ignored }) },
          type: given.type as FeedType,
          baseUrl,
          zone,
          address,
          substrate,
          pocketName,
        });
        return toCachedReply(mediaType, toLatin1Body(body));
      });
    });
  }
}
