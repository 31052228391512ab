import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { createReplyCache } from '../cache/reply-cache.ts';
import type { HttpLog } from '../logging/access-log.ts';
import { mcpEndpoint, serveManifest } from '../mcp/endpoint.ts';
import { serveDocuments } from '../routes/documents.ts';
import { sendErrorPage, wantsPage } from '../routes/error-page.ts';
import { serveFeeds } from '../routes/feeds.ts';
import { serveLedger } from '../routes/ledger.ts';
import { servePages } from '../routes/pages.ts';
import { serveRest } from '../routes/rest.ts';
import { serveStatus } from '../routes/status.ts';
import { HttpError, toHttpError } from './errors.ts';
import { createFastPathServer, MCP_PATH, MOST_BODY_BYTES, pathOf } from './fast-path.ts';
import { everyReply } from './headers.ts';
import { createOperationRunner } from './operation-runner.ts';
import { createLimiter, type Limiters } from './rate-limit.ts';
import type { Service } from './service.ts';

export interface Limits {
  /** Requests a minute for each client address; 0 is off. */
  mcp: number;
  legitimacy: number;
  submit: number;
  trustedProxies: string[];
}

/** The whole public surface. Listening is the caller's business. */
export function buildServer(service: Service, limits: Limits, log: HttpLog): FastifyInstance {
  const { logger } = log;
  const limiters: Limiters = {
    mcp: createLimiter(limits.mcp),
    legitimacy: createLimiter(limits.legitimacy),
    submit: createLimiter(limits.submit),
  };
  const answers = createOperationRunner(service, (operation, faults, line) => {
    logger.error({ operation, faults }, 'line withheld');
    service.withheld?.add(operation, faults, line);
  });
  const kept = createReplyCache(service.dataVersion, service.now);
  const mcp = mcpEndpoint(
    service,
    answers,
    limiters.mcp,
    addressReader(limits.trustedProxies),
    (error, reqId) => logger.error({ reqId, err: error }, 'failed'),
  );
  const app = Fastify({
    serverFactory: (rest) => createFastPathServer({ mcp, kept, log }, rest),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: MOST_BODY_BYTES,
    // Ours to refuse, in our words; an id of the ledger may be longer than Fastify's 100.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: limits.trustedProxies.length ? limits.trustedProxies : false,
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
  app.addHook(
    'onResponse',
    ({ id, method, url, routeOptions }, { statusCode: status, elapsedTime }, done) => {
      if (routeOptions.logLevel !== 'warn')
        log.access({ reqId: id, method, path: pathOf(url), status, ms: Math.round(elapsedTime) });
      done();
    },
  );
  app.setErrorHandler((error, request, reply) => {
    const fault = toHttpError(error);
    if (fault.status >= 500) request.log.error({ err: error }, 'failed');
    return wantsPage(request) ? sendErrorPage(reply, service, fault) : sendError(reply, fault);
  });
  // REST bodies are read as text and parsed by us: one way to refuse what is not JSON, and no special keys.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );

  serveManifest(app, service);
  serveRest(app, service, answers, limiters, kept);
  serveLedger(app, service);
  servePages(app, service, answers, kept);
  serveFeeds(app, service, answers, kept);
  serveStatus(app, service);
  serveDocuments(app, service);
  refuseTheRest(app, methodsAt);
  return app;
}

/** Of the socket, or as the proxies that we trust tell it. */
function addressReader(trustedProxies: string[]): (request: IncomingMessage) => string {
  if (!trustedProxies.length) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyAddress.compile(trustedProxies);
  return (request) => proxyAddress(request, trust);
}

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'accept, content-type, mcp-protocol-version, mcp-session-id, last-event-id, authorization',
  'access-control-max-age': '86400',
};

const identified = (reply: FastifyReply, id: string): FastifyReply =>
  // A route may know better how long its reply is good for.
  reply.headers(everyReply).header('cache-control', 'no-store').header('x-request-id', id);

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
  const routes = [{ methods: ['POST'], pattern: MCP_PATH.split('/') }];
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
