// Routes of /docs: the index with its search, and a page for each address of the OpenAPI document.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { docsAddressPage } from '../../web/pages/docs/address-page.ts';
import type { ApiDocument } from '../../web/pages/docs/api-document.ts';
import { createDocsSite, type DocsSite, type RateLimits } from '../../web/pages/docs/docs-site.ts';
import { docsIndexPage, MAX_QUERY_LENGTH } from '../../web/pages/docs/index-page.ts';
import { pageHeaders } from '../../web/parts/page.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, sendComputedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { AppContext } from '../core/app-context.ts';
import { HttpError } from '../core/errors.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { openApiOf } from '../openapi/document.ts';
import { exampleFinder } from '../openapi/examples.ts';
import { type AskRoute, exampleFor } from './docs-examples.ts';
import { siteOf } from './pages.ts';

export function serveDocs(
  app: FastifyInstance,
  context: AppContext,
  limits: RateLimits,
  replies: ReplyCache,
  clientOf: (address: string) => ReadClient,
): void {
  let created: DocsSite | undefined;
  const docsSite = (): DocsSite => {
    created ??= createDocsSite(siteOf(context), openApiOf(context) as unknown as ApiDocument, limits);
    return created;
  };
  const toReply = (page: string) =>
    toCachedReply('text/html; charset=utf-8', toLatin1Body(page), pageHeaders);

  app.get('/docs', (request, reply) => {
    clientOf(request.ip).take(1);
    return sendComputedReply(request, reply, replies, {}, () =>
      toReply(docsIndexPage(docsSite(), queryOf(request))),
    );
  });

  app.get('/docs/*', async (request, reply) => {
    const [address = '', query] = request.url.split('?', 2);
    if (address.endsWith('/'))
      return reply.redirect(address.replace(/\/+$/, '') + (query === undefined ? '' : `?${query}`), 308);
    const docs = docsSite();
    const path = `/docs/${(request.params as { '*': string })['*']}`;
    const documented = docs.addresses.find(({ docsPath }) => docsPath === path);
    if (!documented) throw new HttpError(404, 'no such address');
    clientOf(request.ip).take(1);
    // Some answers show the newest entries of the log.
    const cache = replies.of({ readsLog: true });
    const version = cache.version();
    const { registry, zone } = context;
    const exampleOf = exampleFinder({ registry, zone, now: context.now() });
    const given = request.query as Record<string, unknown>;
    const ask = askRoute(app, request);
    const examples = await Promise.all(
      documented.endpoints.map((endpoint) =>
        exampleFor(documented, endpoint, docs, { given, exampleOf, ask }),
      ),
    );
    const cached = toReply(docsAddressPage(docs, documented, examples));
    const failed = examples.some(({ sample }) => sample && sample.status !== 200);
    if (!failed) cache.set(request.url, version, cached);
    return sendCachedReply(request, reply, cached, replies, failed ? 'no-cache' : replies.cacheControl());
  });
}

function queryOf({ query }: FastifyRequest): string {
  const { q } = query as { q?: unknown };
  return typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : '';
}

/** Requests within the process take the same route, cache and limits as those of the visitor, and count as theirs. */
const askRoute =
  (app: FastifyInstance, { ip }: FastifyRequest): AskRoute =>
  async (method, url, body) => {
    const reply = await app.inject({
      method,
      url,
      remoteAddress: ip,
      ...(body !== undefined && {
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    const [type = ''] = String(reply.headers['content-type'] ?? '').split(';');
    const isText = /^text\/|json$|xml$/.test(type);
    return {
      status: reply.statusCode,
      type,
      bytes: reply.rawPayload.length,
      text: isText ? reply.payload : null,
    };
  };
