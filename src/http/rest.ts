import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Answers } from './answers.ts';
import type { Service } from './service.ts';

/** Every operation that has a REST address. */
export function serveRest(app: FastifyInstance, service: Service, answers: Answers): void {
  for (const operation of service.operations) {
    if (!operation.rest) continue;
    app.get(operation.rest.path, async (request, reply) => {
      const body = await answers.rest(operation, request.query as Record<string, unknown>);
      const etag = `"${hash('sha1', body, 'base64url')}"`;
      const now = service.now();
      reply.header('etag', etag).header('cache-control', `public, max-age=${service.freshness.maxAge(now)}`);
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(body);
    });
  }
}

function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}
