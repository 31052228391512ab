import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { etagMatches, type ReplyCache } from '../cache/reply-cache.ts';
import type { HttpLog } from '../logging/access-log.ts';
import type { McpReply } from '../mcp/dispatcher.ts';
import { HttpError, toHttpError } from './errors.ts';
import { batchPerTurn } from './event-loop-batch.ts';
import { everyReply, flat, type Headers } from './headers.ts';
import { type MaybePromise, mapMaybePromise } from './maybe-promise.ts';

export const MCP_PATH = '/api/mcp';
export const MOST_BODY_BYTES = 1024 * 1024;

export interface FastPath {
  /** The answer to what was posted to the MCP address; what it throws becomes an HTTP error. */
  mcp(body: string, request: IncomingMessage, requestId: string): MaybePromise<McpReply>;
  kept: ReplyCache;
  log: HttpLog;
}

/** A client that sends or reads too slowly is cut off. */
const patience = {
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const LONGEST_SILENCE_MS = 30_000;

/**
 * The server itself. What is asked most, a tool call and an address that was answered before, is answered here; all else
 * is the framework's.
 */
export function createFastPathServer(front: FastPath, rest: RequestListener): Server {
  const server = createServer(patience, (request, response) => {
    const { method, url = '' } = request;
    if (method === 'POST' && (url === MCP_PATH || url.startsWith(`${MCP_PATH}?`))) {
      answerMcp(front, new RequestContext(front.log, server, request, response));
      return;
    }
    const kept = method === 'GET' ? front.kept.find(url) : undefined;
    if (!kept) return rest(request, response);
    const exchange = new RequestContext(front.log, server, request, response);
    const cacheControl = front.kept.cacheControl();
    if (etagMatches(request.headers['if-none-match'], kept)) {
      exchange.send(304, ['etag', kept.etag, 'cache-control', cacheControl]);
    } else exchange.send(200, [...kept.headers, 'cache-control', cacheControl], kept.bytes ?? kept.body);
  });
  server.setTimeout(LONGEST_SILENCE_MS);
  return server;
}

const onEveryReply = flat(everyReply);
const unkept: Headers = ['cache-control', 'no-store'];
const json: Headers = [...unkept, 'content-type', 'application/json; charset=utf-8'];

interface Leaving {
  response: ServerResponse;
  status: number;
  headers: string[];
  body: Latin1Body | Buffer | undefined;
}

/**
 * Replies of a turn leave together. The first wakes the process that waits for them, and while that one is busy the
 * others need not: where it is on the same machine, waking it each time costs more than the answer.
 */
const leave = batchPerTurn<Leaving>((all) => {
  for (const { response, status, headers, body } of all)
    response.writeHead(status, headers).end(body, 'latin1');
});

/** One request and its reply. */
class RequestContext {
  readonly id = randomUUID();
  readonly request: IncomingMessage;
  readonly #began = performance.now();
  readonly #log: HttpLog;
  readonly #server: Server;
  readonly #response: ServerResponse;

  constructor(log: HttpLog, server: Server, request: IncomingMessage, response: ServerResponse) {
    this.#log = log;
    this.#server = server;
    this.request = request;
    this.#response = response;
  }

  /** `last`: of what the connection carries, as it is once the server no longer listens. */
  send(status: number, headers: Headers, body?: Latin1Body | Buffer, last = !this.#server.listening): void {
    const all = [...onEveryReply, 'x-request-id', this.id, ...headers];
    if (body !== undefined) all.push('content-length', String(body.length));
    if (last) all.push('connection', 'close');
    leave({ response: this.#response, status, headers: all, body });
    const ms = Math.round(performance.now() - this.#began);
    const { method = '', url = '' } = this.request;
    this.#log.access({ reqId: this.id, method, path: pathOf(url), status, ms });
  }

  fail(error: unknown, last?: boolean): void {
    const { status, message, details } = toHttpError(error);
    if (status >= 500) this.#log.logger.error({ reqId: this.id, err: error }, 'failed');
    this.send(status, json, toLatin1Body(JSON.stringify({ error: message, ...details })), last);
  }
}

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

function answerMcp(front: FastPath, exchange: RequestContext): void {
  const { request, id } = exchange;
  const send = ({ status, body }: McpReply) => exchange.send(status, body ? json : unkept, body);
  const answer = (text: string) => {
    try {
      const sent = mapMaybePromise(front.mcp(text, request, id), send);
      if (sent instanceof Promise) sent.catch((error) => exchange.fail(error));
    } catch (error) {
      exchange.fail(error);
    }
  };
  readBody(request, answer, () =>
    // What is still on its way is not read.
    exchange.fail(new HttpError(413, 'body too large (max 1 MiB)'), true),
  );
}

function readBody(request: IncomingMessage, whole: (text: string) => void, tooLarge: () => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const read = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MOST_BODY_BYTES) chunks.push(chunk);
    else refuse();
  };
  const end = () => whole((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
  const refuse = () => {
    request.off('data', read).off('end', end);
    tooLarge();
  };
  if (Number(request.headers['content-length']) > MOST_BODY_BYTES) refuse();
  else request.on('data', read).on('end', end);
}
