// Request text in, reply bytes out, for every era of MCP at one address. It does not know HTTP; endpoint.ts connects it
// to the server and counts the requests.
import { isObject } from '../../operations/core/arguments.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import { errorCodes, failure, type McpReply } from './json-rpc.ts';
import { answerLegacy, batchRefused, type Messages } from './legacy.ts';
import type { Methods, OnError } from './methods.ts';
import { answerStateless, VERSION_KEY } from './stateless.ts';
import { isLegacyVersion, type McpHeaders, STATELESS_VERSION, VERSION_HEADER } from './versions.ts';

export const MAX_BATCH = 20;

type ParsedBody = Messages | { reply: McpReply };

/** Parses the body. Separate from `dispatch` because the rate limit counts the messages before any is answered. */
export function parseMessages(text: string): ParsedBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const message = 'parse error: the body is not JSON';
    return { reply: { status: 400, body: failure(null, errorCodes.parseError, message) } };
  }
  if (!Array.isArray(body)) return { messages: [body], batch: false };
  if (body.length === 0 || body.length > MAX_BATCH) {
    const message = `invalid request: a batch holds 1-${MAX_BATCH} requests`;
    return { reply: { status: 400, body: failure(null, errorCodes.invalidRequest, message) } };
  }
  return { messages: body, batch: true };
}

/** `headers` are left out where the transport has none (stdio). */
export function dispatch(
  body: Messages,
  methods: Methods,
  onError: OnError,
  headers?: McpHeaders,
): MaybePromise<McpReply> {
  if (!isStateless(body, headers)) return answerLegacy(body, headers, methods, onError);
  if (body.batch) return batchRefused(STATELESS_VERSION);
  return answerStateless(body.messages[0], headers, methods, onError);
}

/** The era of a request. Everything that does not name the stateless version, or an unknown one, is legacy. */
export const isStateless = ({ messages }: Messages, headers?: McpHeaders): boolean =>
  headers?.[VERSION_HEADER] === STATELESS_VERSION || messages.some(namesStatelessVersion);

/** Whether `_meta` names a version that is not one of the legacy ones: an unknown version is refused as a stateless one. */
function namesStatelessVersion(message: unknown): boolean {
  if (!isObject(message) || !isObject(message.params)) return false;
  const { _meta: meta } = message.params;
  return isObject(meta) && Object.hasOwn(meta, VERSION_KEY) && !isLegacyVersion(meta[VERSION_KEY]);
}
