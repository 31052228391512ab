// Routes of documents that do not change while the process runs: Markdown files, /openapi.json and /server.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type CachedReply, type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import type { AppContext } from '../core/app-context.ts';
import { serverJsonOf } from '../mcp/server-json.ts';
import { openApiOf } from '../openapi/document.ts';

const root = join(import.meta.dirname, '../../..');

/** Files of the repository that are served unchanged. */
const documents = {
  '/LICENSE-CONTENT.md': 'LICENSE-CONTENT.md',
  '/glossary.md': 'docs/glossary.md',
  '/mcp/CHANGELOG.md': 'docs/mcp/CHANGELOG.md',
  '/mcp/STATUS.md': 'docs/mcp/STATUS.md',
};

export function serveDocuments(app: FastifyInstance, context: AppContext, replies: ReplyCache): void {
  // Made at the first request: the OpenAPI document takes a good part of a start.
  const serve = (address: string, type: string, text: () => string) => {
    let cached: CachedReply | undefined;
    app.get(address, (request, reply) => {
      cached ??= toCachedReply(`${type}; charset=utf-8`, toLatin1Body(text()));
      return sendCachedReply(request, reply, cached, replies, 'public, max-age=300');
    });
  };
  for (const [address, file] of Object.entries(documents)) {
    const text = readFileSync(join(root, file), 'utf8');
    serve(address, 'text/markdown', () => text);
  }
  serve('/openapi.json', 'application/json', () => JSON.stringify(openApiOf(context)));
  serve('/server.json', 'application/json', () => JSON.stringify(serverJsonOf(context)));
}
