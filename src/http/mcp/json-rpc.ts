// JSON-RPC 2.0 messages as bytes, for every era of MCP.
import { isObject } from '../../operations/core/arguments.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';

export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The HTTP headers and the body disagree. */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export interface McpReply {
  status: number;
  /** Empty with status 202. */
  body: Latin1Body;
}

/** The reply to notifications. */
export const ACCEPTED: McpReply = { status: 202, body: toLatin1Body('') };

export type Id = string | number | null;

export interface Request {
  /** Left out in a notification. */
  id?: Id;
  method: string;
  params?: unknown;
}

export function isRequest(message: unknown): message is Request {
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string') return false;
  if (!('id' in message)) return true;
  const { id } = message;
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

/** Joined rather than stringified: the result is cached as bytes, and only the id is new. */
export const success = (id: Id, result: Latin1Body): Latin1Body =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : toLatin1Body(JSON.stringify(id))},"result":${result}}` as Latin1Body;

export const failure = (id: Id | undefined, code: number, message: string, data?: object): Latin1Body =>
  toLatin1Body(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
