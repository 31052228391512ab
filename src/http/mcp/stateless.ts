// MCP of 2026-07-28: each request says in `_meta` what earlier eras agreed on in a handshake. Over HTTP the headers
// repeat parts of the body; a proxy may have decided by them, so a request whose headers and body disagree is refused.
// Error -32021 (a capability that the client lacks) does not occur: no tool needs anything of the client.
import { isObject } from '../../operations/core/arguments.ts';
import { SERVER } from '../answers/app-context.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import { ACCEPTED, errorCodes, failure, type Id, isRequest, type McpReply, success } from './json-rpc.ts';
import { type Methods, type OnError, type Result, respondTo, respondToCall } from './methods.ts';
import {
  LIST_TTL_SECONDS,
  type McpHeaders,
  SERVER_INFO_KEY,
  STATELESS_VERSION,
  unsupportedVersion,
  VERSION_HEADER,
} from './versions.ts';

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const METHOD_HEADER = 'mcp-method';
const NAME_HEADER = 'mcp-name';

/** Who answers, on every result; the rest of it is told by `server/discover`. */
const SERVER_INFO = `"${SERVER_INFO_KEY}":${JSON.stringify(SERVER)}`;
const COMPLETE = '"resultType":"complete"';
const cacheable = (seconds: number, scope: 'public' | 'private'): string =>
  `"ttlMs":${seconds * 1000},"cacheScope":"${scope}"`;

// Results are cached as bytes for all eras; the fields of this one are joined to them.
const complete = ({ result, kept }: Result): Latin1Body => {
  const hints = kept ? `${cacheable(kept.seconds, kept.scope)},` : '';
  return `{${COMPLETE},${hints}"_meta":{${SERVER_INFO}},${result.slice(1)}` as Latin1Body;
};
/** The result has a `_meta` object of its own. */
const completeDiscovery = (result: Latin1Body): Latin1Body =>
  `{${COMPLETE},${cacheable(LIST_TTL_SECONDS, 'public')},${result.slice(1)}` as Latin1Body;
/** The result ends with a `_meta` object, which is not empty. */
const completeCall = (result: Latin1Body): Latin1Body =>
  `{${COMPLETE},${result.slice(1, -2)},${SERVER_INFO}}}` as Latin1Body;

/** SEP-2164: a resource that does not exist is a parameter that is wrong. */
const statelessCode = (code: number): number =>
  code === errorCodes.resourceNotFound ? errorCodes.invalidParams : code;

/** `headers` is undefined where the transport has none (stdio). */
export function answerStateless(
  message: unknown,
  headers: McpHeaders | undefined,
  methods: Methods,
  onError: OnError,
): MaybePromise<McpReply> {
  if (!isRequest(message) || message.id === null)
    return refuse(undefined, errorCodes.invalidRequest, 'invalid request: not a JSON-RPC 2.0 request object');
  const { id, method, params } = message;
  if (id === undefined) return ACCEPTED;
  const refusal = checkVersion(id, params, headers) ?? checkHeaders(id, method, params, headers);
  if (refusal) return refusal;
  switch (method) {
    case 'tools/call':
      return mapMaybePromise(respondToCall(id, params, methods, onError, completeCall), ok);
    case 'server/discover':
      return ok(success(id, completeDiscovery(methods.discover())));
    case 'subscriptions/listen':
      return methods.listen?.(id, isObject(params) ? params : {}) ?? unknownMethod(id);
    default: {
      const response = respondTo(id, method, params, methods, onError, complete, statelessCode);
      if (response !== undefined) return mapMaybePromise(response, ok);
      return unknownMethod(id);
    }
  }
}

const unknownMethod = (id: Id): McpReply => ({
  status: 404,
  body: failure(id, errorCodes.methodNotFound, 'method not found'),
});

const ok = (body: Latin1Body): McpReply => ({ status: 200, body });

const refuse = (id: Id | undefined, code: number, message: string): McpReply => ({
  status: 400,
  body: failure(id, code, message),
});

/** The version comes first: another version may ask for other fields. */
function checkVersion(id: Id, params: unknown, headers: McpHeaders | undefined): McpReply | undefined {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const version = meta[VERSION_KEY];
  if (typeof version !== 'string')
    return refuse(id, errorCodes.invalidParams, `invalid params: _meta must have ${VERSION_KEY}`);
  const inHeader = headers?.[VERSION_HEADER];
  if (headers && inHeader !== version) return mismatch(id, VERSION_HEADER, inHeader);
  if (version !== STATELESS_VERSION) return unsupportedVersion(id, version);
  if (!isObject(meta[CAPABILITIES_KEY]))
    return refuse(id, errorCodes.invalidParams, `invalid params: _meta must have ${CAPABILITIES_KEY}`);
  return undefined;
}

function checkHeaders(
  id: Id,
  method: string,
  params: unknown,
  headers: McpHeaders | undefined,
): McpReply | undefined {
  if (!headers) return undefined;
  if (headers[METHOD_HEADER] !== method) return mismatch(id, METHOD_HEADER, headers[METHOD_HEADER]);
  const named = requestedName(method, params);
  const name = headers[NAME_HEADER];
  return named === undefined || decodeHeader(name) === named ? undefined : mismatch(id, NAME_HEADER, name);
}

/** What the name header repeats of the body, by method. */
const namedBy = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The name of a tool or prompt, or the address of a resource; undefined where the header is not asked for. */
export function requestedName(method: string, params: unknown): string | undefined {
  const field = namedBy.get(method);
  const name = field !== undefined && isObject(params) ? params[field] : undefined;
  return typeof name === 'string' ? name : undefined;
}

const mismatch = (id: Id, header: string, value: unknown): McpReply =>
  refuse(
    id,
    errorCodes.headerMismatch,
    value === undefined ? `header missing: ${header}` : `header ${header} does not match the body`,
  );

/** A value that a header cannot hold as it is comes in base64 between these marks. */
const ENCODED = /^=\?base64\?([A-Za-z\d+/]*={0,2})\?=$/;

function decodeHeader(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, base64] = ENCODED.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}
