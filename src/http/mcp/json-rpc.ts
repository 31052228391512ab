// JSON-RPC 2.0 messages as bytes, for every era of MCP.
import type { ServerResponse } from 'node:http';
import { isObject } from '../../operations/core/arguments.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import type { HttpError } from '../core/errors.ts';

export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Up to 2025-11-25; 2026-07-28 has `invalidParams` for it. */
  resourceNotFound: -32002,
  /** The HTTP headers and the body disagree. */
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  /** The range that JSON-RPC leaves to implementations. */
  refused: -32000,
} as const;

export interface McpReply {
  status: number;
  /** Empty with status 202, and where the reply is a stream. */
  body: Latin1Body;
  /** Writes the head and the rest of a reply that does not end by itself. */
  stream?: (response: ServerResponse, headers: string[]) => void;
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

/** The id of a single request; null for a batch, and for what has no id that could be repeated. */
export function singleRequestId([first, ...others]: readonly unknown[]): Id {
  const { id } = (!others.length && isObject(first) ? first : {}) as { id?: unknown };
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Joined rather than stringified: the result is cached as bytes, and only the id is new. */
export const success = (id: Id, result: Latin1Body): Latin1Body =>
  `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : toLatin1Body(JSON.stringify(id))},"result":${result}}` as Latin1Body;

/** What a 429 or 503 says at every address, as an error of JSON-RPC; its figures also stand where they do elsewhere. */
export const refusalReply = (id: Id, { status, message, details }: HttpError): McpReply => ({
  status,
  body: toLatin1Body(
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      error: { code: errorCodes.refused, message, data: details },
      ...details,
    }),
  ),
});

export const failure = (id: Id | undefined, code: number, message: string, data?: object): Latin1Body =>
  toLatin1Body(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }));
