// Pipelining: requests that a client sends on one connection before it has the answers to those before them. Each is
// begun when the answer before it has been sent: Node would begin all at once, and a client that sends requests and
// reads no answers would fill the memory.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Connection, cut, findConnection } from './connection.ts';

/**
 * While a request waits, nothing more is read from its connection. Node parses what it has read to the end, though, and
 * 64 KiB may hold thousands of requests: a connection is closed rather than that more than these wait.
 */
export const MAX_WAITING = 100;

/** What a waiting request takes beside its texts; 2 KiB were measured. */
const REQUEST_BYTES = 4096;
/** What a text takes beside its characters. */
const TEXT_BYTES = 32;

/** Node makes an object of each chunk of a body: to read a packet of tiny ones takes it tens of milliseconds. */
const MAX_CHUNKED_PER_ADDRESS = 8;

/** Whether a request that has just arrived may be begun or wait; its connection is cut if it may not. */
export function hasPlace(request: IncomingMessage): boolean {
  const connection = findConnection(request.socket);
  if (!connection || request.socket.destroyed) return false;
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const mayStay = mayBegin(connection)
    ? !isChunked || mayBeginChunked(connection)
    : !isChunked && mayWait(connection, request);
  if (!mayStay) cut(connection);
  return mayStay;
}

function mayBeginChunked(connection: Connection): boolean {
  if ((connection.address?.chunked ?? 0) >= MAX_CHUNKED_PER_ADDRESS) return false;
  setChunked(connection, true);
  return true;
}

/** To be called with false when the body is complete, or the connection has closed. */
export function setChunked(connection: Connection, isChunked: boolean): void {
  const { address } = connection;
  if (address) address.chunked += Number(isChunked) - Number(connection.isChunked);
  connection.isChunked = isChunked;
}

function mayWait(connection: Connection, request: IncomingMessage): boolean {
  const { buffers, isEndless, waiting, held } = connection;
  if (isEndless || waiting.length >= MAX_WAITING) return false;
  buffers.hold(connection, 'waiting', held.waiting + requestBytes(request));
  return !buffers.refusesRequests(connection);
}

const mayBegin = ({ current, waiting }: Connection): boolean =>
  waiting.length === 0 && (!current || current.writableFinished || current.destroyed);

/** Texts of headers, and as much of a body as may have been read with them. */
function requestBytes({ rawHeaders, url = '', headers }: IncomingMessage): number {
  const body = Math.min(Number(headers['content-length'] ?? 0), 64 * 1024);
  return rawHeaders.reduce((sum, text) => sum + TEXT_BYTES + text.length, REQUEST_BYTES + url.length + body);
}

/** Begins a request when the answer before it on the same connection has been sent. */
export function inOrder(response: ServerResponse, begin: () => void): void {
  const connection = findConnection(response.req.socket);
  if (!connection) return;
  if (mayBegin(connection)) {
    connection.current = response;
    begin();
    return;
  }
  const { current, waiting, socket } = connection;
  if (waiting.push({ response, begin }) > 1) return;
  current?.once('close', () => beginNext(connection));
  socket.pause();
  // Node resumes a socket after each request that it has parsed.
  if (!connection.hasWaited) socket.on('resume', () => waiting.length && socket.pause());
  connection.hasWaited = true;
}

function beginNext(connection: Connection): void {
  const { waiting, socket, buffers, held } = connection;
  const next = waiting.shift();
  if (!next || socket.destroyed) {
    waiting.length = 0;
    return;
  }
  const { response, begin } = next;
  connection.current = response;
  buffers.hold(connection, 'waiting', held.waiting - requestBytes(response.req));
  if (waiting.length) response.once('close', () => beginNext(connection));
  else socket.resume();
  begin();
}

/** To be called for an answer that ends only with its connection: no request behind it could ever be answered. */
export function neverEnds(response: ServerResponse): void {
  const connection = findConnection(response.req.socket);
  if (!connection) return;
  connection.isEndless = true;
  if (connection.waiting.length) cut(connection);
}
