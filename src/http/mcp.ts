import { isDeep, isObject } from '../operations/arguments.ts';
import type { Answers } from './answers.ts';

/** A JSON-RPC dispatcher of four methods: requests in as text, replies out as text. */
export interface McpReply {
  status: number;
  /** Empty for 202. */
  body: string;
}

export interface Methods {
  initialize: object;
  /** The JSON text of the whole `tools/list` result. */
  tools: string;
  answers: Pick<Answers, 'tool'>;
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

export async function dispatch(
  { messages, batch }: { messages: unknown[]; batch: boolean },
  methods: Methods,
  onFault: (error: unknown) => void,
): Promise<McpReply> {
  if (!batch) {
    const message = messages[0];
    const body = await respond(message, methods, onFault);
    return { status: body === undefined ? 202 : isRequest(message) ? 200 : 400, body: body ?? '' };
  }
  const replies = await Promise.all(messages.map((message) => respond(message, methods, onFault)));
  const bodies = replies.filter((body) => body !== undefined);
  return bodies.length ? { status: 200, body: `[${bodies.join(',')}]` } : { status: 202, body: '' };
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
async function respond(
  message: unknown,
  methods: Methods,
  onFault: (error: unknown) => void,
): Promise<string | undefined> {
  if (!isRequest(message))
    return failure(null, INVALID_REQUEST, 'invalid request: not a JSON-RPC 2.0 request object');
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  try {
    switch (method) {
      case 'tools/call':
        return await callTool(id, params, methods);
      case 'tools/list':
        return success(id, methods.tools);
      case 'initialize':
        return success(id, JSON.stringify(methods.initialize));
      case 'ping':
        return success(id, '{}');
      default:
        return failure(id, METHOD_NOT_FOUND, 'method not found');
    }
  } catch (error) {
    onFault(error);
    return failure(id, INTERNAL_ERROR, 'internal error');
  }
}

async function callTool(id: Id, params: unknown, { answers }: Methods): Promise<string> {
  if (!isObject(params) || typeof params.name !== 'string') {
    return failure(id, INVALID_PARAMS, 'invalid params: name must be a string');
  }
  const { name, arguments: given = {} } = params;
  if (!isObject(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments must be an object');
  if (isDeep(given)) return failure(id, INVALID_PARAMS, 'invalid params: arguments are nested too deeply');
  return success(id, await answers.tool(name as string, given));
}

const success = (id: Id, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

const failure = (id: Id, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
