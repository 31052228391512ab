// Routes of documents that do not change while the process runs: Markdown files, /openapi.json and /server.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
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
  const serve = (address: string, type: string, text: string) => {
    const cached = toCachedReply(`${type}; charset=utf-8`, toLatin1Body(text));
    app.get(address, (request, reply) =>
      sendCachedReply(request, reply, cached, replies, 'public, max-age=300'),
    );
  };
  for (const [address, file] of Object.entries(documents)) {
    serve(address, 'text/markdown', readFileSync(join(root, file), 'utf8'));
  }
  serve('/openapi.json', 'application/json', JSON.stringify(openApiOf(context)));
  serve('/server.json', 'application/json', JSON.stringify(serverJsonOf(context)));
}
