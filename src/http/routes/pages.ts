// Routes of everything in src/web: pages, the sitemap, robots.txt, llms.txt, icon and scripts.
import type { FastifyInstance } from 'fastify';
import { iso } from '../../domain/time/slot.ts';
import { fromQuery } from '../../operations/core/arguments.ts';
import { NotFound } from '../../operations/core/define.ts';
import { type DynamicPage, dynamicPages, staticPages } from '../../web/pages/all.ts';
import { pageHeaders, type Site } from '../../web/parts/page.ts';
import { assets } from '../../web/site/assets.ts';
import { llmsText, robotsText } from '../../web/site/robots.ts';
import { sitemap } from '../../web/site/sitemap.ts';
import type { AppContext } from '../answers/app-context.ts';
import { currentNotice } from '../answers/notice.ts';
import type { OperationRunner } from '../answers/operation-runner.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import {
  type CachedReply,
  type ReplyCache,
  sendCachedReply,
  sendComputedReply,
  toCachedReply,
} from '../cache/reply-cache.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { keepLastKnown } from './last-known.ts';
import { redirect, withoutTrailingSlash, withTrueIds } from './redirects.ts';

const HTML = 'text/html; charset=utf-8';
const FOREVER = 'public, max-age=31536000, immutable';

export const createSite = (context: AppContext): Site => ({
  ...{ baseUrl: context.baseUrl, substrate: context.substrate, operations: context.operations },
  // A getter, because the registry is replaced when an operator changes an outlet.
  get registry() {
    return context.registry;
  },
  zone: context.zone,
  builtAt: context.build.deployed_at,
  process: { version: context.build.version, started_at: iso(context.now()) },
  get notice() {
    return currentNotice(context);
  },
});

export function servePages(
  app: FastifyInstance,
  context: AppContext,
  runner: OperationRunner,
  replies: ReplyCache,
  clientFor: (address: string) => ReadClient,
): void {
  const site = createSite(context);
  const lastKnown = keepLastKnown(app, context, dynamicPages);
  const answer = async (page: DynamicPage, given: Record<string, unknown>, client: ReadClient) => {
    const { question, render } = page;
    const known = lastKnown.get(page);
    if (!known) return runner.page(question, given, client, (structured) => render(site, structured));
    try {
      return await runner.page(question, given, client, (structured) => {
        known.remember(structured);
        return render(site, structured);
      });
    } catch (error) {
      return known.withoutStore(site, error);
    }
  };
  const servePage = (type: string, headers: Record<string, string>) => (page: DynamicPage) =>
    app.get(page.path, async (request, reply) => {
      const { question } = page;
      // /pocket/:pocket_id/:date also takes /pocket/tiongbahru/, which is the pocket's page.
      const bare = withoutTrailingSlash(request.url);
      if (bare) return redirect(reply, bare.path + bare.query);
      const client = clientFor(request.ip);
      client.take(1);
      const given = fromQuery(question.input, {
        ...(request.query as object),
        ...(request.params as object),
      });
      try {
        return await sendComputedReply(request, reply, replies, question, async () =>
          toCachedReply(type, await answer(page, given, client), headers),
        );
      } catch (error) {
        const params = request.params as Record<string, string>;
        const address =
          error instanceof NotFound && withTrueIds(request.url, page.path, params, context.registry);
        if (!address) throw error;
        return redirect(reply, address);
      }
    });
  dynamicPages.forEach(servePage(HTML, pageHeaders));
  servePage('application/xml; charset=utf-8', {})(sitemap);
  servePage('text/plain; charset=utf-8', {})(llmsText);

  const serveStatic = (path: string, cached: CachedReply, cacheControl: string) =>
    app.get(path, (request, reply) => sendCachedReply(request, reply, cached, replies, cacheControl));
  for (const { path, render } of staticPages) {
    // Rendered again only when the notice has changed.
    let rendered: { notice: string | null; reply: CachedReply } | undefined;
    app.get(path, (request, reply) => {
      const { notice } = site;
      if (rendered?.notice !== notice || !rendered)
        rendered = { notice, reply: toCachedReply(HTML, toLatin1Body(render(site)), pageHeaders) };
      return sendCachedReply(
        request,
        reply,
        rendered.reply,
        replies,
        notice ? replies.cacheControl() : 'public, max-age=300',
      );
    });
  }
  const robots = toCachedReply('text/plain; charset=utf-8', toLatin1Body(robotsText(site)));
  serveStatic('/robots.txt', robots, 'public, max-age=300');
  for (const { address, type, body } of Object.values(assets)) {
    serveStatic(address, toCachedReply(type, toLatin1Body(body)), FOREVER);
  }
}
