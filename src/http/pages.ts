import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../web/page.ts';
import { pages } from '../web/pages.ts';
import type { Answers } from './answers.ts';
import type { Service } from './service.ts';

export function servePages(
  app: FastifyInstance,
  { substrate, freshness, now }: Service,
  answers: Answers,
): void {
  for (const { path, operation, render } of pages) {
    app.get(path, async (request, reply) => {
      const given = request.params as Record<string, unknown>;
      const page = await answers.page(operation, given, (structured) => render(structured, substrate));
      return reply
        .headers(pageHeaders)
        .header('cache-control', `public, max-age=${freshness.maxAge(now())}`)
        .type('text/html; charset=utf-8')
        .send(page);
    });
  }
}
