// Routes of what other sites and programs show: calendars, embedded cards, badges, link cards, and what makes the site
// installable (src/web/share).
import type { FastifyInstance } from 'fastify';
import { fromQuery } from '../../operations/core/arguments.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { type LinkCard, linkCardPng } from '../../web/drawing/link-card.ts';
import { cardQuestion, outletCard, pocketCard, sharedReplies, siteCard } from '../../web/share/all.ts';
import { icons, manifestText, serviceWorkerText } from '../../web/share/manifest.ts';
import type { AppContext } from '../answers/app-context.ts';
import type { OperationRunner } from '../answers/operation-runner.ts';
import { computeEtag, rawBytes, toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, sendComputedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { createSite } from './pages.ts';

const PNG = 'image/png';
const A_DAY = 'public, max-age=86400';

export function serveShared(
  app: FastifyInstance,
  context: AppContext,
  runner: OperationRunner,
  replies: ReplyCache,
  clientFor: (address: string) => ReadClient,
): void {
  const site = createSite(context);
  for (const { path, type, headers, question, render } of sharedReplies) {
    app.get(path, async (request, reply) => {
      const client = clientFor(request.ip);
      client.take(1);
      const given = fromQuery(question.input, {
        ...(request.query as object),
        ...(request.params as object),
      });
      return sendComputedReply(request, reply, replies, question, async () => {
        const body = await runner.page(question, given, client, (structured) => render(site, structured));
        return toCachedReply(`${type}; charset=utf-8`, body, headers);
      });
    });
  }

  const draw = createCardCache(linkCardPng);
  const pngReply = (bytes: Buffer) => toCachedReply(PNG, { bytes, etag: computeEtag(bytes) });
  app.get<{ Params: { pocket_id: string } }>('/card/pocket/:pocket_id.png', async (request, reply) => {
    const client = clientFor(request.ip);
    client.take(1);
    return sendComputedReply(request, reply, replies, cardQuestion, async () => {
      const card = await runner.page(cardQuestion, { ...request.params }, client, (structured) =>
        JSON.stringify(pocketCard(site, structured as AnswerOf<typeof cardQuestion>)),
      );
      return pngReply(await draw(rawBytes(card).toString()));
    });
  });
  app.get<{ Params: { outlet_id: string } }>('/card/outlet/:outlet_id.png', async (request, reply) => {
    clientFor(request.ip).take(1);
    const cached = pngReply(await draw(JSON.stringify(outletCard(site, request.params.outlet_id))));
    return sendCachedReply(request, reply, cached, replies, A_DAY);
  });
  app.get('/card.png', async (request, reply) => {
    clientFor(request.ip).take(1);
    const cached = pngReply(await draw(JSON.stringify(siteCard(site))));
    return sendCachedReply(request, reply, cached, replies, A_DAY);
  });

  for (const { path, type, bytes } of icons) {
    const cached = toCachedReply(type, { bytes, etag: computeEtag(bytes) });
    app.get(path, (request, reply) => sendCachedReply(request, reply, cached, replies, A_DAY));
  }
  app.get('/manifest.webmanifest', (request, reply) => {
    const cached = toCachedReply(
      'application/manifest+json; charset=utf-8',
      toLatin1Body(manifestText(site)),
    );
    return sendCachedReply(request, reply, cached, replies, 'public, max-age=300');
  });
  // A browser must see a new version at once, or its pages are those of an old release.
  const worker = toCachedReply('text/javascript; charset=utf-8', toLatin1Body(serviceWorkerText));
  app.get('/sw.js', (request, reply) => sendCachedReply(request, reply, worker, replies, 'no-cache'));
}

/** A city has few pockets that are shared at a time; a picture has about 20 KB. */
const MAX_CARDS = 64;

/**
 * Draws a card once for each content, whatever query its address had: drawing takes about five milliseconds, which
 * nobody should be able to cause again and again. The key is the card as JSON.
 */
export function createCardCache(draw: (card: LinkCard) => Promise<Buffer>): (key: string) => Promise<Buffer> {
  const drawn = new Map<string, Promise<Buffer>>();
  return (key) => {
    const known = drawn.get(key);
    drawn.delete(key);
    const png = known ?? draw(JSON.parse(key) as LinkCard);
    drawn.set(key, png);
    const [oldest] = drawn.keys();
    if (drawn.size > MAX_CARDS && oldest !== undefined) drawn.delete(oldest);
    return png;
  };
}
