import type { FastifyInstance } from 'fastify';
import { historySentence } from '../../domain/text/history-progress.ts';
import { fromQuery } from '../../operations/core/arguments.ts';
import { type AskedPage, askedPages, stillPages } from '../../web/pages/all.ts';
import { pageHeaders, type Site } from '../../web/parts/page.ts';
import { assets } from '../../web/site/assets.ts';
import { llmsText, robotsText } from '../../web/site/robots.ts';
import { sitemap } from '../../web/site/sitemap.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type CachedReply, type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { OperationRunner } from '../core/operation-runner.ts';
import type { Service } from '../core/service.ts';

const HTML = 'text/html; charset=utf-8';
const FOREVER = 'public, max-age=31536000, immutable';

export const siteOf = (service: Service): Site => ({
  ...{ baseUrl: service.baseUrl, substrate: service.substrate, operations: service.operations },
  // Outlets come and go while the process runs.
  get registry() {
    return service.registry;
  },
  builtAt: service.build.deployed_at,
  get notice() {
    const history = service.dataVersion.history();
    return history.finished ? null : historySentence(history);
  },
});

export function servePages(
  app: FastifyInstance,
  service: Service,
  answers: OperationRunner,
  kept: ReplyCache,
): void {
  const site = siteOf(service);
  const serveAsked = (type: string, headers: Record<string, string>) => (page: AskedPage) =>
    app.get(page.path, async (request, reply) => {
      const { question, render } = page;
      const given = fromQuery(question.input, {
        ...(request.query as object),
        ...(request.params as object),
      });
      const version = kept.version();
      const body = await answers.page(question, given, (structured) => render(site, structured));
      const made = toCachedReply(type, body, headers);
      kept.keep(request.url, version, made);
      return sendCachedReply(request, reply, made, kept.cacheControl());
    });
  askedPages.forEach(serveAsked(HTML, pageHeaders));
  serveAsked('application/xml; charset=utf-8', {})(sitemap);

  const serveStill = (path: string, made: CachedReply, cacheControl: string) =>
    app.get(path, (request, reply) => sendCachedReply(request, reply, made, cacheControl));
  for (const { path, render } of stillPages) {
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
        notice ? kept.cacheControl() : 'public, max-age=300',
      );
    });
  }
  const texts = { '/robots.txt': robotsText(site), '/llms.txt': llmsText(site) };
  for (const [path, text] of Object.entries(texts)) {
    serveStill(path, toCachedReply('text/plain; charset=utf-8', toLatin1Body(text)), 'public, max-age=300');
  }
  for (const { address, type, body } of Object.values(assets)) {
    serveStill(address, toCachedReply(type, toLatin1Body(body)), FOREVER);
  }
}
