import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDeep, isObject } from '../operations/arguments.ts';
import type { Answers } from './answers.ts';
import { charge, HttpError } from './errors.ts';
import type { Limiters } from './rate-limit.ts';
import type { Service } from './service.ts';

/** Every operation that has a REST address. */
export function serveRest(
  app: FastifyInstance,
  { operations, freshness, now }: Service,
  answers: Answers,
  limiters: Limiters,
): void {
  const json = 'application/json; charset=utf-8';
  for (const operation of operations) {
    if (!operation.rest) continue;
    const { path, method, limit } = operation.rest;
    const admit = ({ ip }: FastifyRequest) => limit && charge(limiters[limit], ip, now());
    if (method === 'POST') {
      app.post(path, async (request, reply) => {
        admit(request);
        return reply.type(json).send(await answers.rest(operation, bodyOf(request.body)));
      });
      continue;
    }
    app.get(path, async (request, reply) => {
      admit(request);
      const given = { ...(request.query as object), ...(request.params as object) };
      const body = await answers.rest(operation, given);
      const etag = `"${hash('sha1', body, 'base64url')}"`;
      const kept = operation.keep === false ? 'no-cache' : `public, max-age=${freshness.maxAge(now())}`;
      reply.header('etag', etag).header('cache-control', kept);
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(json).send(body);
    });
  }
}

function bodyOf(text: unknown): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(String(text ?? ''));
  } catch {
    throw new HttpError(400, 'body must be JSON');
  }
  if (!isObject(body) || isDeep(body))
    throw new HttpError(400, 'body must be a JSON object, not nested too deeply');
  return body;
}

function matches(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header
    .split(',')
    .some((candidate) => candidate.trim().replace(/^W\//, '') === etag || candidate.trim() === '*');
}
