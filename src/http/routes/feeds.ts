import type { FastifyInstance } from 'fastify';
import { getStream } from '../../operations/report/get-stream.ts';
import { type Feed, jsonFeed, rssFeed } from '../../web/site/feeds.ts';
import { fromWire, toWire } from '../cache/latin1-body.ts';
import { type KeptReplies, replyOf, send } from '../cache/reply-cache.ts';
import type { Answers } from '../core/operation-runner.ts';
import type { Service } from '../core/service.ts';

const feeds = {
  '/stream.rss': { type: 'application/rss+xml; charset=utf-8', render: rssFeed },
  '/feed.json': { type: 'application/feed+json; charset=utf-8', render: jsonFeed },
} as const;

/** The stream, for feed readers; asked as /api/stream is. */
export function serveFeeds(
  app: FastifyInstance,
  { baseUrl, substrate }: Service,
  answers: Answers,
  kept: KeptReplies,
): void {
  for (const [path, { type, render }] of Object.entries(feeds)) {
    app.get(path, async (request, reply) => {
      const version = kept.version();
      const answer = await answers.rest(getStream, { ...(request.query as object) });
      const stream = JSON.parse(fromWire(answer)) as Pick<Feed, 'pocket_id' | 'events' | '_meta'>;
      const address = `${baseUrl}${request.url}`;
      const made = replyOf(type, toWire(render({ ...stream, baseUrl, address, substrate })));
      kept.keep(request.url, version, made);
      return send(request, reply, made, kept.cacheControl());
    });
  }
}
