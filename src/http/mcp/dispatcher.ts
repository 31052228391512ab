// A JSON-RPC dispatcher for the four methods that the service has: request text in, reply bytes out. It does not know
// HTTP; endpoint.ts connects it to the server and counts the requests.
import { isObject, isTooDeep } from '../../operations/core/arguments.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';

export interface McpReply {
  status: number;
  /** Empty with status 202. */
  body: Latin1Body;
}

export interface Methods {
  /** The result of `initialize` as JSON. */
  initialize: Latin1Body;
  /** The result of `tools/list` as JSON. */
  tools: Latin1Body;
  /** The result of `tools/call` as JSON. */
  callTool(name: string, given: Record<string, unknown>): MaybePromise<Latin1Body>;
}

export const MAX_BATCH = 20;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

type ParsedBody = { messages: unknown[]; batch: boolean } | { reply: McpReply };

/** Parses the body. Separate from `dispatch` because the rate limit counts the messages before any is answered. */
export function parseMessages(text: string): ParsedBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { reply: { status: 400, body: failure(null, PARSE_ERROR, 'parse error: the body is not JSON') } };
  }
  if (!Array.isArray(body)) return { messages: [body], batch: false };
  if (body.length === 0 || body.length > MAX_BATCH) {
    const message = `invalid request: a batch holds 1-${MAX_BATCH} requests`;
    return { reply: { status: 400, body: failure(null, INVALID_REQUEST, message) } };
  }
  return { messages: body, batch: true };
}

export function dispatch(
  { messages, batch }: { messages: unknown[]; batch: boolean },
  methods: Methods,
  onError: (error: unknown) => void,
): MaybePromise<McpReply> {
  const responses = messages.map((message) => respond(message, methods, onError));
  if (batch) return Promise.all(responses).then(batchReply);
  const status = isRequest(messages[0]) ? 200 : 400;
  return mapMaybePromise(responses[0], (body) => (body === undefined ? ACCEPTED : { status, body }));
}

const ACCEPTED: McpReply = { status: 202, body: toLatin1Body('') };

function batchReply(responses: (Latin1Body | undefined)[]): McpReply {
  const bodies = responses.filter((body) => body !== undefined);
  return bodies.length ? { status: 200, body: `[${bodies.join(',')}]` as Latin1Body } : ACCEPTED;
}

type Id = string | number | null;
interface Request {
  id?: Id;
  method: string;
  params?: unknown;
}

function isRequest(message: unknown): message is Request {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  if (!('id' in message)) return true;
  const { id } = message;
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

/** Undefined for a notification, which gets no response. */
function respond(
  message: unknown,
  methods: Methods,
  onError: (error: unknown) => void,
): MaybePromise<Latin1Body | undefined> {
  if (!isRequest(message))
    return failure(null, INVALID_REQUEST, 'invalid request: not a JSON-RPC 2.0 request object');
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  switch (method) {
    case 'tools/call':
      return respondToCall(id, params, methods, onError);
    case 'tools/list':
      return success(id, methods.tools);
    case 'initialize':
      return success(id, methods.initialize);
    case 'ping':
      return success(id, EMPTY_RESULT);
    default:
      return failure(id, METHOD_NOT_FOUND, 'method not found');
  }
}

function respondToCall(
  id: Id,
  params: unknown,
  { callTool }: Methods,
  onError: (error: unknown) => void,
): MaybePromise<Latin1Body> {
  if (!isObject(params) || typeof params.name !== 'string') {
    return failure(id, INVALID_PARAMS, 'invalid params: name must be a string');
  }
  const { name, arguments: given = {} } = params;
  if (!isObject(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments must be an object');
  if (isTooDeep(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments are nested too deeply');
  const internalError = (error: unknown) => {
    onError(error);
    return failure(id, INTERNAL_ERROR, 'internal error');
  };
  try {
    const answer = mapMaybePromise(callTool(name as string, given), (result) => success(id, result));
    return answer instanceof Promise ? answer.catch(internalError) : answer;
  } catch (error) {
    return internalError(error);
  }
}

const EMPTY_RESULT = toLatin1Body('{}');

/** Joined rather than stringified: the result is cached as bytes, and only the id is new. */
const success = (id: Id, result: Latin1Body): Latin1Body =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : toLatin1Body(JSON.stringify(id))},"result":${result}}` as Latin1Body;

const failure = (id: Id, code: number, message: string): Latin1Body =>
  toLatin1Body(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
