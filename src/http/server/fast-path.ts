// The node:http server in front of Fastify. It answers the two most frequent kinds of request itself: POST to the MCP
// address, and GET or HEAD of a URL that is in the reply cache. Everything else goes to Fastify.
import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { etagFor, etagMatches, type ReplyCache } from '../cache/reply-cache.ts';
import { tooManyBytes } from '../connections/buffered-bytes.ts';
import { findConnection } from '../connections/connection.ts';
import { countedMessages } from '../connections/counted-messages.ts';
import { inOrder } from '../connections/in-order.ts';
import { readBody } from '../connections/read-body.ts';
import type { CheckHost } from '../core/cross-site.ts';
import { isShuttingDown, trackConnections } from '../core/drain.ts';
import { HttpError, isFault, toHttpError } from '../core/errors.ts';
import { batchPerTurn } from '../core/event-loop-batch.ts';
import { commonHeaders, flattenHeaders, type Headers } from '../core/headers.ts';
import { mapMaybePromise } from '../core/maybe-promise.ts';
import type { CountRequest } from '../core/request-metrics.ts';
import type { HttpLog } from '../logging/access-log.ts';
import { type AnswerMcp, MCP_PATH } from '../mcp/endpoint.ts';
import type { McpReply } from '../mcp/json-rpc.ts';
import { prefersCsv } from '../negotiation/accept.ts';
import { chooseEncoding } from '../negotiation/content-encoding.ts';
import { errorBody } from '../negotiation/error-body.ts';
import { streamHeaders } from '../stream/headers.ts';

/** They are answered whatever is refused otherwise: their answers are small, and tell an operator's tools what to do. */
const probes = ['/api/health', '/api/ready'];

export interface FastPath {
  mcp: AnswerMcp;
  replies: ReplyCache;
  checkHost: CheckHost;
  log: HttpLog;
  /** Absent where nobody reads the counts. */
  count: CountRequest | undefined;
}

/** A client that sends or reads too slowly is disconnected. */
const timeouts = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const SOCKET_IDLE_TIMEOUT_MS = 30_000;

export function createFastPathServer(fastPath: FastPath, framework: RequestListener): Server {
  const { replies, checkHost } = fastPath;
  const server = createServer({ ...timeouts, ...countedMessages }, (request, response) =>
    inOrder(response, () => answer(request, response)),
  );
  server.on('checkContinue', (request, response) =>
    inOrder(response, () => {
      response.writeContinue();
      answer(request, response);
    }),
  );
  server.on('checkExpectation', (request, response) =>
    inOrder(response, () => refuse(request, response, new HttpError(417, 'expect must be 100-continue'))),
  );
  /** A body is not read, so the connection cannot be used again. */
  const refuse = (request: IncomingMessage, response: ServerResponse, error: HttpError): void =>
    new RequestContext(fastPath, server, request, response).sendError(error, true);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, url = '', socket } = request;
    const connection = findConnection(socket);
    const isTooMuch = connection?.buffers.refusesRequests(connection) && !probes.includes(url);
    const refusal = isTooMuch ? tooManyBytes() : checkHost(request);
    if (refusal) {
      refuse(request, response, refusal);
      return;
    }
    if (method === 'POST' && (url === MCP_PATH || url.startsWith(`${MCP_PATH}?`))) {
      answerMcp(fastPath, new RequestContext(fastPath, server, request, response, MCP_PATH));
      return;
    }
    // Of a HEAD, Node sends the headers alone.
    const kept = method === 'GET' || method === 'HEAD' ? replies.get(url) : undefined;
    if (!kept || (kept.reply.csv && prefersCsv(request.headers.accept))) {
      // A body without meaning is dropped as it comes, not kept until the answer is sent.
      if (method === 'GET' || method === 'HEAD') request.resume();
      framework(request, response);
      return;
    }
    const { reply: cached, route } = kept;
    const context = new RequestContext(fastPath, server, request, response, route);
    const { headers } = request;
    const encoding = cached.compressible ? chooseEncoding(headers['accept-encoding']) : undefined;
    const etag = etagFor(cached, encoding);
    const cacheControl = replies.cacheControl();
    if (etagMatches(headers['if-none-match'], etag)) {
      context.send(304, [...cached.vary, 'etag', etag, 'cache-control', cacheControl]);
    } else if (!encoding) {
      context.send(200, [...cached.plainHeaders, 'cache-control', cacheControl], cached.body);
    } else {
      const own = ['etag', etag, 'cache-control', cacheControl, 'content-encoding', encoding];
      const send = (body: Buffer) => context.send(200, [...cached.headers, ...own], body);
      const sent = mapMaybePromise(replies.compress(cached, encoding), send);
      if (sent instanceof Promise) sent.catch((error) => context.sendError(error));
    }
  };
  server.setTimeout(SOCKET_IDLE_TIMEOUT_MS);
  trackConnections(server);
  return server;
}

const commonFlatHeaders = flattenHeaders(commonHeaders);
const streamFlatHeaders = flattenHeaders(streamHeaders);
const notCached: Headers = ['cache-control', 'no-store'];
const notCachedJson: Headers = [...notCached, 'content-type', 'application/json; charset=utf-8'];

interface PendingReply {
  response: ServerResponse;
  status: number;
  headers: string[];
  body: Latin1Body | Buffer | undefined;
}

/**
 * The replies of one turn of the event loop are written together. The first write wakes the client's process; while
 * that one is busy, further writes need no wake-up. With a client on the same machine, a wake-up for each reply costs
 * more than the reply itself.
 */
const writeReply = batchPerTurn<PendingReply>((batch) => {
  for (const { response, status, headers, body } of batch)
    response.writeHead(status, headers).end(body, 'latin1');
});

/** One request that is answered here, with its id, its route, its start time and its line in the access log. */
class RequestContext {
  readonly id = randomUUID();
  readonly request: IncomingMessage;
  readonly #startedAt = performance.now();
  readonly #log: HttpLog;
  readonly #count: CountRequest | undefined;
  readonly #route: string | undefined;
  readonly #server: Server;
  readonly #response: ServerResponse;

  constructor(
    { log, count }: Pick<FastPath, 'log' | 'count'>,
    server: Server,
    request: IncomingMessage,
    response: ServerResponse,
    route?: string,
  ) {
    this.#log = log;
    this.#count = count;
    this.#route = route;
    this.#server = server;
    this.request = request;
    this.#response = response;
  }

  /** Closes the connection after the reply if `close` is set, by default while the server is shutting down. */
  send(
    status: number,
    headers: Headers,
    body?: Latin1Body | Buffer,
    close = isShuttingDown(this.#server),
  ): void {
    const all = [...commonFlatHeaders, 'x-request-id', this.id, ...headers];
    if (body !== undefined) all.push('content-length', String(body.length));
    if (close) all.push('connection', 'close');
    writeReply({ response: this.#response, status, headers: all, body });
    this.#logged(status);
  }

  #logged(status: number): void {
    const ms = performance.now() - this.#startedAt;
    const { method = '', url = '' } = this.request;
    this.#count?.(this.#route, method, status, ms);
    this.#log.access({ reqId: this.id, method, path: urlPath(url), status, ms: Math.round(ms) });
  }

  /** Lets `write` send a reply that does not end by itself. */
  stream(write: NonNullable<McpReply['stream']>): void {
    write(this.#response, [
      ...commonFlatHeaders,
      'x-request-id',
      this.id,
      ...notCached,
      ...streamFlatHeaders,
    ]);
    this.#logged(200);
  }

  sendError(error: unknown, close?: boolean): void {
    const httpError = toHttpError(error);
    if (isFault(httpError)) this.#log.logger.error({ reqId: this.id, err: error }, 'request failed');
    const { type, text } = errorBody(httpError, this.request.headers.accept, this.id);
    const headers = [...notCached, 'content-type', type, 'vary', 'accept'];
    if (httpError.retryAfter !== undefined) headers.push('retry-after', String(httpError.retryAfter));
    this.send(httpError.status, headers, toLatin1Body(text), close);
  }
}

/** The URL without its query. */
export function urlPath(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function answerMcp({ mcp }: FastPath, context: RequestContext): void {
  const { request, id } = context;
  const send = ({ status, body, stream }: McpReply) =>
    stream ? context.stream(stream) : context.send(status, body ? notCachedJson : notCached, body);
  const answer = (text: string) => {
    try {
      const sent = mapMaybePromise(mcp(text, request, id), send);
      if (sent instanceof Promise) sent.catch((error) => context.sendError(error));
    } catch (error) {
      context.sendError(error);
    }
  };
  // Of a body that is refused the rest is not read, so the connection cannot be used again.
  readBody(request, answer, (error) => context.sendError(error, true));
}
