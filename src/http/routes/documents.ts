// Routes of documents: Markdown files, /server.json and the names that the search suggests, which do not change while the
// process runs, and /openapi.json, whose examples do.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { nameSuggestions } from '../../web/pages/home/name-suggestions.ts';
import type { AppContext } from '../answers/app-context.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type CachedReply, type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import { serverJsonDocument } from '../mcp/server-json.ts';
import { openApiWithExamples } from '../openapi/document.ts';
import { askRoute, findExamples } from './docs-examples.ts';

const root = join(import.meta.dirname, '../../..');

/** Files of the repository that are served unchanged. */
const documents = {
  '/LICENSE-CONTENT.md': 'LICENSE-CONTENT.md',
  '/glossary.md': 'docs/glossary.md',
  '/mcp/CHANGELOG.md': 'docs/mcp/CHANGELOG.md',
  '/mcp/STATUS.md': 'docs/mcp/STATUS.md',
};

export const readDocument = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Made at the first request. */
export function serveDocument(
  app: FastifyInstance,
  replies: ReplyCache,
  address: string,
  type: string,
  text: () => string,
): void {
  let cached: CachedReply | undefined;
  app.get(address, (request, reply) => {
    cached ??= toCachedReply(`${type}; charset=utf-8`, toLatin1Body(text()));
    return sendCachedReply(request, reply, cached, replies, 'public, max-age=300');
  });
}

export function serveDocuments(app: FastifyInstance, context: AppContext, replies: ReplyCache): void {
  const serve = (address: string, type: string, text: () => string) =>
    serveDocument(app, replies, address, type, text);
  for (const [address, file] of Object.entries(documents)) {
    const text = readDocument(file);
    serve(address, 'text/markdown', () => text);
  }
  serveOpenApi(app, context, replies);
  serve('/names.json', 'application/json', () => JSON.stringify(nameSuggestions(context.registry)));
  serve('/server.json', 'application/json', () => JSON.stringify(serverJsonDocument(context)));
}

/** No client has this address: what a visitor has used up does not change the document that all others get. */
const self = { ip: '0.0.0.0' };

/** Made anew when the data have changed: its examples are about what exists, and about times that are near. */
function serveOpenApi(app: FastifyInstance, context: AppContext, replies: ReplyCache): void {
  let kept: { version: string; reply: Promise<CachedReply> } | undefined;
  app.get('/openapi.json', async (request, reply) => {
    // An example may be of the newest entry of the log.
    const version = replies.of({ readsLog: true }).version();
    if (kept?.version !== version) {
      const made = findExamples(context, askRoute(app, self)).then((exampleOf) =>
        toCachedReply(
          'application/json; charset=utf-8',
          toLatin1Body(JSON.stringify(openApiWithExamples(context, exampleOf))),
        ),
      );
      kept = { version, reply: made };
      made.catch(() => {
        kept = undefined;
      });
    }
    return sendCachedReply(request, reply, await kept.reply, replies, replies.cacheControl());
  });
}
