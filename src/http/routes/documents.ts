import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Service } from '../core/service.ts';
import { openApiOf } from '../openapi/document.ts';

const root = join(import.meta.dirname, '../../..');

/** Files that are served as they stand. */
const documents = {
  '/LICENSE-CONTENT.md': 'LICENSE-CONTENT.md',
  '/mcp/CHANGELOG.md': 'docs/mcp/CHANGELOG.md',
  '/mcp/STATUS.md': 'docs/mcp/STATUS.md',
};

/** What does not change while the process runs. */
export function serveDocuments(app: FastifyInstance, service: Service): void {
  const serve = (address: string, type: string, text: string) => {
    const all = {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=300',
    };
    app.get(address, (_request, reply) => reply.headers(all).send(text));
  };
  for (const [address, file] of Object.entries(documents)) {
    serve(address, 'text/markdown', readFileSync(join(root, file), 'utf8'));
  }
  serve('/openapi.json', 'application/json', JSON.stringify(openApiOf(service)));
}
