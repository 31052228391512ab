import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isObject } from '../../operations/core/arguments.ts';
import { publishedTool, toolsOf } from '../../operations/core/define.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';
import { createVersionedCache } from '../cache/versioned-cache.ts';
import { charge, HttpError } from '../core/errors.ts';
import type { FastPath } from '../core/fast-path.ts';
import { isCacheable, type OperationRunner } from '../core/operation-runner.ts';
import type { Limiter } from '../core/rate-limit.ts';
import type { Service } from '../core/service.ts';
import { dispatch, type McpReply, type Methods, parseMessages } from './dispatcher.ts';
import { initializeResult, manifestOf } from './manifest.ts';

const MOST_KEPT_BYTES = 8 * 1024 * 1024;
const MOST_COUNTED = 1_000;

/** What is posted to the MCP address: whatever a client calls its body, it is JSON or it is refused as a parse error. */
export function mcpEndpoint(
  service: Service,
  answers: OperationRunner,
  limiter: Limiter,
  addressOf: (request: IncomingMessage) => string,
  onFault: (error: unknown, requestId: string) => void,
): FastPath['mcp'] {
  const methods: Methods = {
    initialize: toLatin1Body(JSON.stringify(initializeResult(service))),
    tools: toLatin1Body(JSON.stringify({ tools: toolsOf(service.operations).map(publishedTool) })),
    answers,
  };

  const replies = createVersionedCache<McpReply>(
    service.dataVersion,
    service.now,
    ({ body }) => body.length,
    MOST_KEPT_BYTES,
  );
  const kept = new Set(service.operations.filter(isCacheable).map(({ name }) => name));

  return (body, request, requestId) => {
    const known = replies.find(body);
    if (known) {
      charge(limiter, addressOf(request), service.now());
      return known;
    }
    const version = replies.version();
    const parsed = parseMessages(body);
    const cost = 'reply' in parsed ? 1 : parsed.messages.length;
    charge(limiter, addressOf(request), service.now(), cost);
    if ('reply' in parsed) return parsed.reply;
    const reply = dispatch(parsed, methods, (error) => onFault(error, requestId));
    // At hand at once: made from an answer that is kept itself.
    if (!(reply instanceof Promise) && mayComeAgain(parsed.messages[0], kept))
      replies.keep(body, version, reply);
    return reply;
  };
}

/** Clients count their requests from the same number in every session: the same few words come again and again. */
function mayComeAgain(message: unknown, kept: ReadonlySet<unknown>): boolean {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return false;
  const { id, params } = message;
  return kept.has(params.name) && typeof id === 'number' && id >= 0 && id < MOST_COUNTED;
}

export function serveManifest(app: FastifyInstance, service: Service): void {
  const manifest = JSON.stringify(manifestOf(service));
  const manifestReply = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
  };
  app.get('/.well-known/mcp.json', (_request, reply) => reply.headers(manifestReply).send(manifest));
  app.get('/api/mcp', (request, reply) => {
    const accept = request.headers.accept ?? '';
    // A client that wants a stream would take any success for one and reconnect for ever.
    if (accept.includes('text/event-stream') && !accept.includes('application/json')) {
      reply.header('allow', 'POST, GET');
      throw new HttpError(405, 'no event stream here: POST requests to this address');
    }
    return reply.headers({ ...manifestReply, vary: 'accept' }).send(manifest);
  });
}
