// Routes of /docs: the index with its search, and a page for each address of the OpenAPI document.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { docsAddressPage, type Example } from '../../web/pages/docs/address-page.ts';
import type { ApiDocument } from '../../web/pages/docs/api-document.ts';
import { createDocsSite, type DocsSite, type RateLimits } from '../../web/pages/docs/docs-site.ts';
import { firstCalls } from '../../web/pages/docs/first-calls.ts';
import { fullText } from '../../web/pages/docs/full-text.ts';
import { docsIndexPage, MAX_QUERY_LENGTH } from '../../web/pages/docs/index-page.ts';
import { createReference, type Reference } from '../../web/pages/docs/reference.ts';
import { docsHeaders } from '../../web/parts/page.ts';
import type { AppContext } from '../answers/app-context.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import { HttpError } from '../core/errors.ts';
import type { ReadClient } from '../heavy/cost.ts';
import { withExamples } from '../openapi/complete-endpoint.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { ExampleOf } from '../openapi/examples.ts';
import { operationTag } from '../openapi/tags.ts';
import { type AskRoute, askRoute, exampleFor, exampleForCall, findExamples } from './docs-examples.ts';
import { readDocument, serveDocument } from './documents.ts';
import { createSite } from './pages.ts';

/** Pages of the repository that are part of llms-full.txt. */
const pagesOfFullText = {
  'Questions, and the calls that answer them': 'docs/questions.md',
  Glossary: 'docs/glossary.md',
  Formulas: 'docs/formulas.md',
};

export function serveDocs(
  app: FastifyInstance,
  context: AppContext,
  limits: RateLimits,
  replies: ReplyCache,
  clientFor: (address: string) => ReadClient,
): void {
  let created: DocsSite | undefined;
  const docsSite = (): DocsSite => {
    created ??= createDocsSite(
      createSite(context),
      openApiDocument(context) as unknown as ApiDocument,
      limits,
      operationTag,
    );
    return created;
  };
  // Like the docs' site it does not change while the process runs.
  let reference: Reference | undefined;
  // Made at the first request, from files that do not change while the process runs.
  serveDocument(app, replies, '/llms-full.txt', 'text/plain', () =>
    fullText(
      docsSite(),
      Object.fromEntries(
        Object.entries(pagesOfFullText).map(([heading, file]) => [heading, readDocument(file)]),
      ),
    ),
  );
  const toReply = (page: string) =>
    toCachedReply('text/html; charset=utf-8', toLatin1Body(page), docsHeaders);

  /** Shown as what it is and not kept where an answer failed: the next visitor may get it. */
  const sendWithAnswers = async (
    request: FastifyRequest,
    reply: FastifyReply,
    names: readonly string[],
    make: (how: { exampleOf: ExampleOf; ask: AskRoute }) => Promise<{ page: string; examples: Example[] }>,
  ) => {
    clientFor(request.ip).take(1);
    // Some answers show the newest entries of the log.
    const cache = replies.of({ readsLog: true });
    const version = cache.version();
    const ask = askRoute(app, request);
    const { page, examples } = await make({ exampleOf: await findExamples(context, ask, names), ask });
    const cached = toReply(page);
    // What does not exist yet will not before the data change; a limit or an outage may be over with the next request.
    const failed = examples.some(({ sample }) => sample && (sample.status === 429 || sample.status >= 500));
    if (!failed) cache.set(request, version, cached);
    return sendCachedReply(request, reply, cached, replies, failed ? 'no-cache' : replies.cacheControl());
  };

  app.get('/docs', (request, reply) => {
    const docs = docsSite();
    const query = searchQuery(request);
    const calls = query ? [] : firstCalls(context.registry);
    const names = calls.map(({ operationId }) => operationId);
    return sendWithAnswers(request, reply, names, async (how) => {
      const asked = await Promise.all(
        calls.map(async (call) => ({ call, example: await exampleForCall(call, docs, how) })),
      );
      reference ??= createReference(docs);
      return {
        page: docsIndexPage(docs, query, asked, reference),
        examples: asked.map(({ example }) => example),
      };
    });
  });

  app.get('/docs/*', async (request, reply) => {
    const [address = '', query] = request.url.split('?', 2);
    if (address.endsWith('/'))
      return reply.redirect(address.replace(/\/+$/, '') + (query === undefined ? '' : `?${query}`), 308);
    const docs = docsSite();
    const path = `/docs/${(request.params as { '*': string })['*']}`;
    const documented = docs.addresses.find(({ docsPath }) => docsPath === path);
    if (!documented) throw new HttpError(404, 'no such address');
    const names = documented.endpoints.map(({ operationId }) => operationId);
    return sendWithAnswers(request, reply, names, async (how) => {
      const given = request.query as Record<string, unknown>;
      const withValues = {
        ...documented,
        endpoints: documented.endpoints.map((endpoint) => withExamples(endpoint, how.exampleOf)),
      };
      const examples = await Promise.all(
        withValues.endpoints.map((endpoint) => exampleFor(withValues, endpoint, docs, { given, ...how })),
      );
      return { page: docsAddressPage(docs, withValues, examples), examples };
    });
  });
}

function searchQuery({ query }: FastifyRequest): string {
  const { q } = query as { q?: unknown };
  return typeof q === 'string' ? q.trim().slice(0, MAX_QUERY_LENGTH) : '';
}
