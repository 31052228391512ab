import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import { createAnswers } from './answers.ts';
import { serveDocuments } from './documents.ts';
import { HttpError, toHttpError } from './errors.ts';
import { serveLedger } from './ledger.ts';
import { serveMcp } from './mcp-routes.ts';
import { servePages } from './pages.ts';
import { createLimiter, type Limiters } from './rate-limit.ts';
import { serveRest } from './rest.ts';
import type { Service } from './service.ts';
import { serveStatus } from './status.ts';

export interface Limits {
  /** Requests a minute for each client address; 0 is off. */
  mcp: number;
  legitimacy: number;
  submit: number;
  trustedProxies: string[];
}

const MOST_BODY_BYTES = 1024 * 1024;

/** The whole public surface. Listening is the caller's business. */
export function buildServer(service: Service, limits: Limits, logger: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MOST_BODY_BYTES,
    // Ours to refuse, in our words; an id of the ledger may be longer than Fastify's 100.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: limits.trustedProxies.length ? limits.trustedProxies : false,
    // A client that sends or reads too slowly is cut off.
    connectionTimeout: 30_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    return503OnClosing: false,
    frameworkErrors: (error, { id }, reply) =>
      sendError(identified(reply as FastifyReply, id), toHttpError(error)),
    clientErrorHandler: refuseSocket,
  });

  const methodsAt = rememberRoutes(app);
  app.addHook('onRequest', ({ id }, reply, done) => {
    identified(reply, id);
    done();
  });
  // Neither who asked nor what about: no address, no query.
  app.addHook('onResponse', (request, reply, done) => {
    const path = pathOf(request.url);
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, path, status: reply.statusCode, ms }, 'answered');
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    const fault = toHttpError(error);
    if (fault.status >= 500) request.log.error({ err: error }, 'failed');
    return sendError(reply, fault);
  });
  // REST bodies are read as text and parsed by us: one way to refuse what is not JSON, and no special keys.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );

  const limiters: Limiters = {
    mcp: createLimiter(limits.mcp),
    legitimacy: createLimiter(limits.legitimacy),
    submit: createLimiter(limits.submit),
  };
  const answers = createAnswers(service, (operation, faults) =>
    logger.error({ operation, faults }, 'line withheld'),
  );
  serveMcp(app, service, answers, limiters.mcp);
  serveRest(app, service, answers, limiters);
  serveLedger(app, service);
  servePages(app, service, answers);
  serveStatus(app, service);
  serveDocuments(app, service);
  refuseTheRest(app, methodsAt);
  return app;
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

const everyReply = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-request-id',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Unless a route knows better.
  'cache-control': 'no-store',
};

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'accept, content-type, mcp-protocol-version, mcp-session-id, last-event-id, authorization',
  'access-control-max-age': '86400',
};

const identified = (reply: FastifyReply, id: string): FastifyReply =>
  reply.headers(everyReply).header('x-request-id', id);

const sendError = (reply: FastifyReply, { status, message, details }: HttpError) =>
  reply.code(status).send({ error: message, ...details });

/** What never became a request is answered on the bare socket. */
function refuseSocket({ code }: NodeJS.ErrnoException, socket: Socket): void {
  const { status, message } = toHttpError({ code, statusCode: 400 });
  const body = JSON.stringify({ error: message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Answers which methods a path has, once the routes are there. Fastify itself finds a route by its pattern only. */
function rememberRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes: { methods: string[]; pattern: string[] }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), pattern: url.split('/') });
  });
  return (path) => {
    const parts = path.split('/');
    const here = routes.filter(({ pattern }) => fits(pattern, parts)).flatMap((route) => route.methods);
    return methods.filter((method) => here.includes(method));
  };
}

/** A part such as `:id` stands for any other, and a `*` at the end for all that follows. */
const fits = (pattern: readonly string[], parts: readonly string[]): boolean =>
  (pattern.at(-1) === '*' ? parts.length >= pattern.length : parts.length === pattern.length) &&
  pattern.every((part, at) => part === '*' || part.startsWith(':') || part === parts[at]);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function refuseTheRest(app: FastifyInstance, methodsAt: (path: string) => string[]): void {
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(pathOf(request.url));
    if (request.method === 'OPTIONS') return reply.code(204).headers(preflight).send();
    if (!allowed.length) throw new HttpError(404, 'no such address');
    reply.header('allow', allowed.join(', '));
    throw new HttpError(405, `method not allowed: use ${allowed.join(' or ')}`);
  });
}
