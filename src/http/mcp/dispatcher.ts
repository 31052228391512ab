import { isDeep, isObject } from '../../operations/core/arguments.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import type { OperationRunner } from '../core/operation-runner.ts';

/** A JSON-RPC dispatcher of four methods: requests in as text, replies out as bytes. */
export interface McpReply {
  status: number;
  /** Empty for 202. */
  body: Latin1Body;
}

export interface Methods {
  /** JSON, as are the tools: whole results. */
  initialize: Latin1Body;
  tools: Latin1Body;
  answers: Pick<OperationRunner, 'tool'>;
}

export const MOST_IN_BATCH = 20;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

export type Parsed = { messages: unknown[]; batch: boolean } | { reply: McpReply };

/** Before anything is answered: is it JSON, and how many requests does it hold? */
export function parseMessages(text: string): Parsed {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { reply: { status: 400, body: failure(null, PARSE_ERROR, 'parse error: the body is not JSON') } };
  }
  if (!Array.isArray(body)) return { messages: [body], batch: false };
  if (body.length === 0 || body.length > MOST_IN_BATCH) {
    const message = `invalid request: a batch holds 1-${MOST_IN_BATCH} requests`;
    return { reply: { status: 400, body: failure(null, INVALID_REQUEST, message) } };
  }
  return { messages: body, batch: true };
}

export function dispatch(
  { messages, batch }: { messages: unknown[]; batch: boolean },
  methods: Methods,
  onFault: (error: unknown) => void,
): MaybePromise<McpReply> {
  const responses = messages.map((message) => respond(message, methods, onFault));
  if (batch) return Promise.all(responses).then(batchReply);
  const status = isRequest(messages[0]) ? 200 : 400;
  return mapMaybePromise(responses[0], (body) => (body === undefined ? NOTHING : { status, body }));
}

const NOTHING: McpReply = { status: 202, body: toLatin1Body('') };

function batchReply(responses: (Latin1Body | undefined)[]): McpReply {
  const bodies = responses.filter((body) => body !== undefined);
  return bodies.length ? { status: 200, body: `[${bodies.join(',')}]` as Latin1Body } : NOTHING;
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

/** Undefined for a notification, which is never answered. */
function respond(
  message: unknown,
  methods: Methods,
  onFault: (error: unknown) => void,
): MaybePromise<Latin1Body | undefined> {
  if (!isRequest(message))
    return failure(null, INVALID_REQUEST, 'invalid request: not a JSON-RPC 2.0 request object');
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  switch (method) {
    case 'tools/call':
      return callTool(id, params, methods, onFault);
    case 'tools/list':
      return success(id, methods.tools);
    case 'initialize':
      return success(id, methods.initialize);
    case 'ping':
      return success(id, EMPTY);
    default:
      return failure(id, METHOD_NOT_FOUND, 'method not found');
  }
}

function callTool(
  id: Id,
  params: unknown,
  { answers }: Methods,
  onFault: (error: unknown) => void,
): MaybePromise<Latin1Body> {
  if (!isObject(params) || typeof params.name !== 'string') {
    return failure(id, INVALID_PARAMS, 'invalid params: name must be a string');
  }
  const { name, arguments: given = {} } = params;
  if (!isObject(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments must be an object');
  if (isDeep(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments are nested too deeply');
  const fault = (error: unknown) => {
    onFault(error);
    return failure(id, INTERNAL_ERROR, 'internal error');
  };
  try {
    const answer = mapMaybePromise(answers.tool(name as string, given), (result) => success(id, result));
    return answer instanceof Promise ? answer.catch(fault) : answer;
  } catch (error) {
    return fault(error);
  }
}

const EMPTY = toLatin1Body('{}');

const success = (id: Id, result: Latin1Body): Latin1Body =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : toLatin1Body(JSON.stringify(id))},"result":${result}}` as Latin1Body;

const failure = (id: Id, code: number, message: string): Latin1Body =>
  toLatin1Body(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
