import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isDeep, isObject } from '../../operations/core/arguments.ts';
import { bodyBytes } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import { charge, HttpError } from '../core/errors.ts';
import type { OperationRunner } from '../core/operation-runner.ts';
import type { Limiters } from '../core/rate-limit.ts';
import type { Service } from '../core/service.ts';
import { tableSender, wantsTable } from './csv.ts';

/** Every operation that has a REST address. */
export function serveRest(
  app: FastifyInstance,
  { operations, baseUrl, now }: Service,
  answers: OperationRunner,
  limiters: Limiters,
  kept: ReplyCache,
): void {
  const json = 'application/json; charset=utf-8';
  const sendTable = tableSender(`${baseUrl}/LICENSE-CONTENT.md`);
  for (const operation of operations) {
    if (!operation.rest) continue;
    const { path, method, limit } = operation.rest;
    const admit = ({ ip }: FastifyRequest) => limit && charge(limiters[limit], ip, now());
    if (method === 'POST') {
      app.post(path, async (request, reply) => {
        admit(request);
        return reply.type(json).send(bodyBytes(await answers.rest(operation, bodyOf(request.body))));
      });
      continue;
    }
    app.get(path, async (request, reply) => {
      admit(request);
      const given = { ...(request.query as object), ...(request.params as object) };
      const table = wantsTable(operation, given) && answers.table(operation, given);
      if (table) return sendTable(request, reply, table);
      const version = kept.version();
      const made = toCachedReply(json, await answers.rest(operation, given));
      if (operation.keep === false) return sendCachedReply(request, reply, made, 'no-cache');
      // What is counted has to come here each time.
      if (!limit) kept.keep(request.url, version, made);
      return sendCachedReply(request, reply, made, kept.cacheControl());
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
