// The eras of MCP with an `initialize` handshake, 2024-11-05 to 2025-11-25. Nothing is stored between two requests: the
// version that was agreed on comes back in a header, and matters for batches alone.
import { isObject } from '../../operations/core/arguments.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import {
  ACCEPTED,
  errorCodes,
  failure,
  isRequest,
  type McpReply,
  singleRequestId,
  success,
} from './json-rpc.ts';
import { type Methods, type OnError, respondTo, respondToCall } from './methods.ts';
import {
  DEFAULT_VERSION,
  isLegacyVersion,
  type LegacyVersion,
  type McpHeaders,
  unsupportedVersion,
  VERSION_HEADER,
} from './versions.ts';

/** 2025-06-18 removed batches. */
const withoutBatches: readonly LegacyVersion[] = ['2025-06-18', '2025-11-25'];

export interface Messages {
  messages: unknown[];
  batch: boolean;
}

export function answerLegacy(
  { messages, batch }: Messages,
  headers: McpHeaders | undefined,
  methods: Methods,
  onError: OnError,
): MaybePromise<McpReply> {
  const version = headers?.[VERSION_HEADER];
  // Absent: a version before the header existed. `initialize` agrees on a version in its body.
  if (version !== undefined && (batch || !isInitialize(messages[0]))) {
    if (!isLegacyVersion(version))
      return unsupportedVersion(batch ? null : singleRequestId(messages), version);
    if (batch && withoutBatches.includes(version)) return batchRefused(version);
  }
  const responses = messages.map((message) => respond(message, methods, onError));
  if (batch) return Promise.all(responses).then(batchReply);
  const status = isRequest(messages[0]) ? 200 : 400;
  return mapMaybePromise(responses[0], (body) => (body === undefined ? ACCEPTED : { status, body }));
}

const isInitialize = (message: unknown): boolean => isObject(message) && message.method === 'initialize';

export const batchRefused = (version: string): McpReply => ({
  status: 400,
  body: failure(
    null,
    errorCodes.invalidRequest,
    `invalid request: protocol version ${version} has no batches`,
  ),
});

function batchReply(responses: (Latin1Body | undefined)[]): McpReply {
  const bodies = responses.filter((body) => body !== undefined);
  return bodies.length ? { status: 200, body: `[${bodies.join(',')}]` as Latin1Body } : ACCEPTED;
}

const EMPTY_RESULT = toLatin1Body('{}');

/** Undefined for a notification, which gets no response. */
function respond(message: unknown, methods: Methods, onError: OnError): MaybePromise<Latin1Body | undefined> {
  if (!isRequest(message))
    return failure(null, errorCodes.invalidRequest, 'invalid request: not a JSON-RPC 2.0 request object');
  const { id, method, params } = message;
  if (id === undefined) return undefined;
  switch (method) {
    case 'tools/call':
      return respondToCall(id, params, methods, onError);
    case 'initialize':
      return success(id, methods.initialize(agreedVersion(params)));
    case 'ping':
      return success(id, EMPTY_RESULT);
    default:
      return (
        respondTo(id, method, params, methods, onError) ??
        failure(id, errorCodes.methodNotFound, 'method not found')
      );
  }
}

const agreedVersion = (params: unknown): LegacyVersion =>
  isObject(params) && isLegacyVersion(params.protocolVersion) ? params.protocolVersion : DEFAULT_VERSION;
