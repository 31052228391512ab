// Answers by asking a running service: each message is a POST to its MCP address. The service is somebody else's, so
// nothing but JSON-RPC is passed on to the client.
import { requestedName, VERSION_KEY } from '../../../http/mcp/stateless.ts';
import { isObject } from '../../../operations/core/arguments.ts';
import type { AnswerLine, SendLine } from './answer-lines.ts';
import { isStream, passOn } from './remote-stream.ts';
import { cancelledRequestId } from './subscriptions.ts';

interface RemoteService {
  /** The address of the service; `/api/mcp` is added if it is missing. */
  url: string;
  headers: Record<string, string>;
  /** Told once when the service cannot be reached, and once when it can again. */
  say(line: string): void;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 60_000;
/** Of a reply; the largest answers have some hundred kilobytes. */
const MAX_REPLY_BYTES = 32 * 1024 * 1024;
/** The range that JSON-RPC leaves to implementations. */
const UNREACHABLE = -32000;
const REFUSED = -32001;

export interface RemoteAnswers {
  answer: AnswerLine;
  /** Ends the streams that are open. */
  close(): void;
}

export function remoteAnswers(service: RemoteService): RemoteAnswers {
  const { url, headers, say, fetch: send = fetch } = service;
  const address = mcpAddress(url);
  let reachable = true;
  /** As `initialize` agreed on it: later requests of that client name it in a header. */
  let agreedVersion: string | undefined;
  const post = (text: string, message: unknown, signal: AbortSignal) =>
    send(address, {
      method: 'POST',
      body: text,
      redirect: 'manual',
      signal,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
        ...versionHeaders(message, agreedVersion),
      },
    });

  /** By the id of the request that opened each. */
  const streams = new Map<unknown, AbortController>();

  /** The reply, unless it is a stream: that is passed on until one side ends it. */
  const fetchReply = async (text: string, message: unknown, sendLine: SendLine) => {
    if (!isObject(message) || message.method !== 'subscriptions/listen') {
      const response = await post(text, message, AbortSignal.timeout(TIMEOUT_MS));
      return { response, body: await readBounded(response) };
    }
    const { id } = message;
    const stream = new AbortController();
    const late = setTimeout(() => stream.abort(new DOMException('', 'TimeoutError')), TIMEOUT_MS);
    const response = await post(text, message, stream.signal).finally(() => clearTimeout(late));
    if (!isStream(response)) return { response, body: await readBounded(response) };
    streams.set(id, stream);
    passOn(response, id, sendLine)
      .catch(() => false)
      .then((answered) => {
        streams.delete(id);
        if (answered || stream.signal.aborted) return;
        sendLine(failureFor(message, UNREACHABLE, `${address}: the stream has ended`) ?? '');
      });
    return undefined;
  };

  const answer: AnswerLine = async (text, sendLine) => {
    const message = parseJson(text);
    const failure = (code: number, reason: string) => failureFor(message, code, reason);
    const cancelled = streams.get(cancelledRequestId(message));
    if (cancelled) {
      // Over HTTP a stream is cancelled by closing it.
      cancelled.abort();
      return undefined;
    }
    let response: Response;
    let body: string;
    try {
      const reply = await fetchReply(text, message, sendLine);
      if (!reply) return undefined;
      ({ response, body } = reply);
    } catch (error) {
      const reason = `${address} cannot be reached: ${failureReason(error)}`;
      if (reachable) say(`pocketwatch: ${reason}`);
      reachable = false;
      return failure(UNREACHABLE, reason);
    }
    if (!reachable) say(`pocketwatch: ${address} answers again`);
    reachable = true;
    if (response.status === 202) return undefined;
    const reply = parseJson(body);
    if (isReply(reply)) {
      agreedVersion = versionIn(message, reply) ?? agreedVersion;
      return JSON.stringify(withId(reply, message));
    }
    return failure(REFUSED, `${address}: ${refusalText(response, reply)}`);
  };
  return {
    answer,
    close: () => {
      for (const stream of streams.values()) stream.abort();
    },
  };
}

/** The MCP address of a service, given its own address or the MCP address itself. */
export function mcpAddress(url: string): string {
  const address = new URL(url);
  const path = address.pathname.replace(/\/+$/, '');
  address.pathname = path.endsWith('/api/mcp') ? path : `${path}/api/mcp`;
  return address.href;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new Error('the reply is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const isReply = (reply: unknown): reply is object =>
  Array.isArray(reply)
    ? reply.length > 0 && reply.every(isReply)
    : isObject(reply) && reply.jsonrpc === '2.0' && ('result' in reply || 'error' in reply);

/** The headers that repeat a part of the body: a version without a handshake asks for all three. */
function versionHeaders(message: unknown, agreedVersion: string | undefined): Record<string, string> {
  if (isObject(message) && isObject(message.params) && isObject(message.params._meta)) {
    const { [VERSION_KEY]: version } = message.params._meta;
    const name = requestedName(String(message.method), message.params);
    if (typeof version === 'string')
      return {
        'mcp-protocol-version': headerValue(version),
        'mcp-method': headerValue(String(message.method)),
        ...(name !== undefined && { 'mcp-name': headerValue(name) }),
      };
  }
  const initializes = isObject(message) && message.method === 'initialize';
  return agreedVersion === undefined || initializes ? {} : { 'mcp-protocol-version': agreedVersion };
}

/** A value that a header cannot hold as it is stands in base64, as the protocol says. */
const headerValue = (value: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;

function versionIn(message: unknown, reply: object): string | undefined {
  if (!isObject(message) || message.method !== 'initialize') return undefined;
  const { result } = reply as { result?: unknown };
  const version = isObject(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' && /^[\w.-]{1,40}$/.test(version) ? version : undefined;
}

/** An error with the id of the request: a refusal of the whole request has none, and the client would wait for its own. */
function withId(reply: object, message: unknown): object {
  if (!('error' in reply)) return reply;
  // Fields beside it, such as those of a rate limit, would make a strict client drop the message.
  const { jsonrpc, id, error } = reply as { jsonrpc?: unknown; id?: unknown; error: unknown };
  const asked = isObject(message) && 'id' in message ? message.id : undefined;
  return { jsonrpc, id: id ?? asked ?? null, error };
}

/** Undefined where nothing waits for a reply: a notification, or a batch of them. */
function failureFor(message: unknown, code: number, reason: string): string | undefined {
  const error = { code, message: reason };
  if (message === undefined) return JSON.stringify({ jsonrpc: '2.0', id: null, error });
  const requests = [message].flat().filter((item) => isObject(item) && 'id' in item && 'method' in item);
  const failures = requests.map((item) => ({ jsonrpc: '2.0', id: (item as { id: unknown }).id, error }));
  if (!failures.length) return undefined;
  return JSON.stringify(Array.isArray(message) ? failures : failures[0]);
}

function refusalText({ status, headers }: Response, reply: unknown): string {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location)
    return `it redirects to ${location.slice(0, 200)}; use that address`;
  const message = isObject(reply) && typeof reply.error === 'string' ? reply.error : 'no JSON-RPC reply';
  return `HTTP ${status}, ${message.slice(0, 500)}`;
}

function failureReason(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `no reply within ${TIMEOUT_MS / 1000} seconds`;
  return cause?.code ?? cause?.message ?? message;
}
