// Composes the whole HTTP surface: limits, caches, routes and error handling around Fastify.
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { byLabel, type Metrics } from '../../metrics/metrics.ts';
import { type AppContext, answerTimes } from '../answers/app-context.ts';
import { localAnswers } from '../answers/heavy-answers.ts';
import { createOperationRunner, type OperationRunner } from '../answers/operation-runner.ts';
import { createReplyCache, type ReplyCache } from '../cache/reply-cache.ts';
import type { CacheCounts } from '../cache/versioned-cache.ts';
import { type ConnectionLimits, limitConnections } from '../connections/limit-connections.ts';
import { readBody } from '../connections/read-body.ts';
import { addressReader, trustIn } from '../core/client-address.ts';
import { type AllowedSites, hostChecker, writeChecker } from '../core/cross-site.ts';
import { type Amount, createDailyQuota } from '../core/daily-quota.ts';
import { countConnections, isShuttingDown } from '../core/drain.ts';
import { HttpError, isFault, toHttpError } from '../core/errors.ts';
import { commonHeaders } from '../core/headers.ts';
import { createLimiter, type Limiters } from '../core/rate-limit.ts';
import { requestCounter } from '../core/request-metrics.ts';
import { writeAdmission } from '../core/write-admission.ts';
import { pacedRead } from '../heavy/byte-share.ts';
import { readClients } from '../heavy/cost.ts';
import type { OnWithheld } from '../heavy/jobs.ts';
import { createHeavyQueue } from '../heavy/queue.ts';
import type { HttpLog } from '../logging/access-log.ts';
import { MCP_PATH, mcpEndpoint, serveManifest } from '../mcp/endpoint.ts';
import { watchPockets } from '../mcp/subscriptions/pocket-updates.ts';
import { errorBody } from '../negotiation/error-body.ts';
import { serveDocs } from '../routes/docs.ts';
import { serveDocuments } from '../routes/documents.ts';
import { sendErrorPage, wantsPage } from '../routes/error-page.ts';
import { serveFeedBodies } from '../routes/feed-bodies.ts';
import { serveFeeds } from '../routes/feeds.ts';
import { serveLedger } from '../routes/ledger.ts';
import { serveLedgerRows } from '../routes/ledger-rows.ts';
import { servePages } from '../routes/pages.ts';
import { redirect, withoutTrailingSlash } from '../routes/redirects.ts';
import { serveRest } from '../routes/rest.ts';
import { serveShared } from '../routes/share.ts';
import { serveStatus } from '../routes/status.ts';
import { serveWellKnown } from '../routes/well-known.ts';
import { createOpenStreams, type OpenStreams, type StreamLimits } from '../stream/open-streams.ts';
import { LIVE_STREAM_PATH, serveLiveStream } from '../stream/route.ts';
import { createFastPathServer, urlPath } from './fast-path.ts';

export interface Limits {
  /** Requests a minute for each client address; 0: no limit. */
  mcp: number;
  legitimacy: number;
  submit: number;
  /** Units of reading a minute for each client address (heavy/cost.ts); 0: no limit. */
  read: number;
  /** Bytes of the ledger a second for each client address (heavy/byte-share.ts); 0: no limit. */
  ledgerBytesPerSecond: number;
  /** Rows and bytes of submissions a day for each client address; 0: no limit. */
  submitPerDay: Amount;
  trustedProxies: string[];
  connections: ConnectionLimits;
  /** Live streams that are open at once. */
  streams: StreamLimits;
  sites: AllowedSites;
}

/** Does not listen yet: the caller does that. */
export function buildServer(context: AppContext, limits: Limits, log: HttpLog): FastifyInstance {
  const { logger } = log;
  const limiters: Limiters = {
    mcp: createLimiter(limits.mcp),
    legitimacy: createLimiter(limits.legitimacy),
    submit: createLimiter(limits.submit),
    read: createLimiter(limits.read),
  };
  const onWithheld: OnWithheld = (operation, faults, line) => {
    logger.error({ operation, faults }, 'line withheld');
    context.withheld?.add(operation, faults, line);
  };
  const answers =
    context.heavyAnswers?.(onWithheld, (err) => logger.error({ err }, 'the thread for heavy answers died')) ??
    localAnswers({ ...context, builtAt: context.build.deployed_at }, onWithheld);
  const runner = createOperationRunner(context, { queue: createHeavyQueue(), answers }, onWithheld);
  const clientFor = readClients(limiters.read, context.now);
  const replies = createReplyCache(context.dataVersion, () => answerTimes(context).now);
  const checkHost = hostChecker(context.baseUrl, limits.sites);
  const admit = writeAdmission(
    writeChecker(context.baseUrl, limits.sites),
    createDailyQuota(limits.submitPerDay),
    context.now,
  );
  const streams = createOpenStreams(limits.streams);
  const updates = watchPockets(
    context,
    () => streams.deliver(),
    (err) => logger.error({ err }, 'new readings could not be read'),
  );
  const mcp = mcpEndpoint(
    context,
    runner,
    limiters,
    addressReader(limits.trustedProxies),
    admit,
    (error, reqId) => logger.error({ reqId, err: error }, 'request failed'),
    streams,
    updates,
  );
  const count = context.metrics && requestCounter(context.metrics);
  const app = Fastify({
    serverFactory: (framework) => createFastPathServer({ mcp, replies, checkHost, log, count }, framework),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // An id of the ledger may be longer than Fastify's 100 characters; routes refuse ids that are too long themselves.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: limits.trustedProxies.length ? limits.trustedProxies : false,
    return503OnClosing: false,
    frameworkErrors: (error, { id, headers }, reply) =>
      sendError(withCommonHeaders(reply as FastifyReply, id), toHttpError(error), headers.accept, id),
    clientErrorHandler: sendErrorOnSocket,
  });

  app.addHook('onClose', () => answers.stop());
  limitConnections(app.server, limits.connections, trustIn(limits.trustedProxies));

  const methodsAt = collectRoutes(app);
  app.addHook('onRequest', ({ id }, reply, done) => {
    withCommonHeaders(reply, id);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isShuttingDown(app.server)) reply.header('connection', 'close');
    done(null, payload);
  });
  app.addHook(
    'onResponse',
    ({ id, method, url, routeOptions }, { statusCode: status, elapsedTime }, done) => {
      const route = routeOptions.url;
      count?.(route, method, status, route === LIVE_STREAM_PATH ? undefined : elapsedTime);
      if (routeOptions.logLevel !== 'warn')
        log.access({ reqId: id, method, path: urlPath(url), status, ms: Math.round(elapsedTime) });
      done();
    },
  );
  app.setErrorHandler((error, request, reply) => {
    const httpError = toHttpError(error);
    if (isFault(httpError)) request.log.error({ err: error }, 'request failed');
    withRetryAfter(reply, httpError);
    return wantsPage(request)
      ? sendErrorPage(reply, context, httpError)
      : sendError(reply, httpError, request.headers.accept, request.id);
  });
  // REST bodies are read as text and parsed in routes/rest.ts: one wording for what is not JSON, and no special
  // treatment of keys such as __proto__.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', ({ raw }, _payload, done) =>
    readBody(raw, (text) => done(null, text), done),
  );

  serveManifest(app, context);
  serveRest(app, context, runner, limiters, replies, admit, clientFor);
  streams.endWith(app, () => updates.stop());
  serveLiveStream(app, context, streams, limits.streams.keptBytes, clientFor);
  const pacedLedger = pacedRead(limits.ledgerBytesPerSecond);
  serveLedger(app, context, clientFor, pacedLedger);
  serveLedgerRows(app, context, pacedLedger);
  serveFeedBodies(app, context, clientFor);
  servePages(app, context, runner, replies, clientFor);
  serveDocs(app, context, limits, replies, clientFor);
  serveFeeds(app, context, runner, replies, clientFor);
  serveShared(app, context, runner, replies, clientFor);
  serveStatus(app, context);
  serveDocuments(app, context, replies);
  serveWellKnown(app, context);
  handleUnknownRoutes(app, methodsAt);
  if (context.metrics) addGauges(context.metrics, app, { replies, runner, streams });
  return app;
}

function addGauges(
  metrics: Metrics,
  { server }: FastifyInstance,
  { replies, runner, streams }: { replies: ReplyCache; runner: OperationRunner; streams: OpenStreams },
): void {
  const cached = (of: keyof CacheCounts) => () =>
    byLabel('cache', { reply: replies.counts[of], answer: runner.cacheCounts()[of] });
  metrics.readCounter(
    'pocketwatch_cache_hits_total',
    'Answers that were found: a whole reply by its address, or the answer to a question.',
    cached('hits'),
  );
  metrics.readCounter('pocketwatch_cache_misses_total', 'Answers that had to be computed.', cached('misses'));
  metrics.gauge('pocketwatch_open_connections', 'Connections that are open.', () => countConnections(server));
  metrics.gauge('pocketwatch_open_streams', 'Live streams and subscriptions that are open.', streams.count);
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers':
    'accept, content-type, if-none-match, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, authorization, idempotency-key, x-pocketwatch-toolsets',
  'access-control-max-age': '86400',
};

/** A route whose reply may be cached replaces `cache-control`. */
const withCommonHeaders = (reply: FastifyReply, id: string): FastifyReply =>
  reply.headers(commonHeaders).header('cache-control', 'no-store').header('x-request-id', id);

function sendError(reply: FastifyReply, error: HttpError, accept: string | undefined, id: string) {
  const { type, text } = errorBody(error, accept, id);
  // As bytes: Fastify would add a charset to the type of a text, which problem details do not have.
  return reply.code(error.status).type(type).header('vary', 'accept').send(Buffer.from(text));
}

/** The header is left out where there is nothing to say: a 429 has the seconds in its body alone. */
const withRetryAfter = (reply: FastifyReply, { retryAfter }: HttpError): FastifyReply =>
  retryAfter === undefined ? reply : reply.header('retry-after', retryAfter);

/** Bytes that are not a valid HTTP request have no response object: the reply is written to the socket. */
function sendErrorOnSocket({ code }: NodeJS.ErrnoException, socket: Socket): void {
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

/** Collects routes as they are added, and returns a function that lists the methods of a path: Fastify has none. */
function collectRoutes(app: FastifyInstance): (path: string) => string[] {
  const routes = [{ methods: ['POST'], pattern: MCP_PATH.split('/') }];
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), pattern: url.split('/') });
  });
  return (path) => {
    const parts = path.split('/');
    const found = routes
      .filter(({ pattern }) => matchesPattern(pattern, parts))
      .flatMap((route) => route.methods);
    return listedMethods.filter((method) => found.includes(method));
  };
}

/** A part such as `:id` matches any part, and a `*` at the end one or more parts. */
const matchesPattern = (pattern: readonly string[], parts: readonly string[]): boolean =>
  (pattern.at(-1) === '*' ? parts.length >= pattern.length : parts.length === pattern.length) &&
  pattern.every((part, at) => part === '*' || part.startsWith(':') || part === parts[at]);

/** In the order of the `allow` header, which ends with OPTIONS. */
const listedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers OPTIONS, redirects pages with slashes at their end, and gives the 404 or 405 of everything that no route takes. */
function handleUnknownRoutes(app: FastifyInstance, methodsAt: (path: string) => string[]): void {
  app.setNotFoundHandler(({ method, url, headers }, reply) => {
    // `OPTIONS *` is about the whole server.
    const methods = url === '*' ? ['GET', 'HEAD', 'POST'] : methodsAt(urlPath(url));
    if (methods.length) reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    // A preflight that fails would hide the 404 of the request after it from the page that sent it.
    const isPreflight = headers['access-control-request-method'] !== undefined;
    if (method === 'OPTIONS' && (methods.length || isPreflight))
      return reply.code(204).headers(preflightHeaders).send();
    const page = method === 'GET' || method === 'HEAD' ? withoutTrailingSlash(url) : undefined;
    if (page && methodsAt(page.path).includes(method)) return redirect(reply, page.path + page.query);
    if (!methods.length) throw new HttpError(404, 'no such address');
    const use = methods.filter((allowed) => allowed !== 'HEAD').join(' or ');
    throw new HttpError(405, `method not allowed: use ${use}`);
  });
}
