// Routes of the REST API: one for every operation that has a REST address.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isObject, isTooDeep } from '../../operations/core/arguments.ts';
import type { Sender } from '../../operations/core/define.ts';
import type { AppContext } from '../answers/app-context.ts';
import type { OperationRunner } from '../answers/operation-runner.ts';
import { withIgnored } from '../answers/render-answer.ts';
import { ignoredNames, queryParameters } from '../answers/rest-parameters.ts';
import { rawBytes } from '../cache/latin1-body.ts';
import { type ReplyCache, sendCachedReply, toCachedReply } from '../cache/reply-cache.ts';
import { enforceRateLimit, HttpError } from '../core/errors.ts';
import type { Limiters } from '../core/rate-limit.ts';
import type { AdmitWrite } from '../core/write-admission.ts';
import { type ReadClient, uncounted } from '../heavy/cost.ts';
import { tableSender, wantsTable } from './csv.ts';

export function serveRest(
  app: FastifyInstance,
  { operations, baseUrl, now }: AppContext,
  runner: OperationRunner,
  limiters: Limiters,
  replies: ReplyCache,
  admit: AdmitWrite,
  clientFor: (address: string) => ReadClient,
): void {
  const json = 'application/json; charset=utf-8';
  const sendTable = tableSender(`${baseUrl}/LICENSE-CONTENT.md`);
  for (const operation of operations) {
    if (!operation.rest) continue;
    const { path, method, limit } = operation.rest;
    const known = queryParameters(operation);
    const checkLimit = ({ ip }: FastifyRequest) => limit && enforceRateLimit(limiters[limit], ip, now());
    if (method === 'POST') {
      app.post(path, async (request, reply) => {
        const sender =
          operation.effect === 'append'
            ? { ...admit(request.raw, request.ip), ...readIdempotencyKey(request) }
            : undefined;
        checkLimit(request);
        const body = await runner.rest(operation, parseBody(request.body), uncounted(request.ip), sender);
        return reply.type(json).send(rawBytes(withIgnored(body, ignoredNames(request.query, known))));
      });
      continue;
    }
    app.get(path, async (request, reply) => {
      checkLimit(request);
      const client = clientFor(request.ip);
      client.take(1);
      const given = { ...(request.query as object), ...(request.params as object) };
      if (wantsTable(operation, given, request.headers.accept))
        return sendTable(request, reply, client.key, () => runner.table(operation, given, client));
      const cache = replies.of(operation);
      const version = cache.version();
      const body = await runner.rest(operation, given, client);
      const complete = withIgnored(body, ignoredNames(request.query, known));
      const cached = toCachedReply(json, complete, {}, operation.table !== undefined);
      if (operation.cache === false) return sendCachedReply(request, reply, cached, replies, 'no-cache');
      // A cached reply is sent without reaching this route, where requests are counted.
      if (!limit) cache.set(request, version, cached);
      return sendCachedReply(request, reply, cached, replies, replies.cacheControl());
    });
  }
}

function readIdempotencyKey({ headers }: FastifyRequest): Pick<Sender, 'idempotencyKey'> {
  const idempotencyKey = headers['idempotency-key'];
  if (idempotencyKey === undefined) return {};
  if (typeof idempotencyKey !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey))
    throw new HttpError(400, 'idempotency-key must be 1-255 printable ASCII characters');
  return { idempotencyKey };
}

function parseBody(text: unknown): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(String(text ?? ''));
  } catch {
    throw new HttpError(400, 'body must be JSON');
  }
  if (!isObject(body) || isTooDeep(body))
    throw new HttpError(400, 'body must be a JSON object, not nested too deeply');
  return body;
}
