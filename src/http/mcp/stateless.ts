// MCP of 2026-07-28: each request says in `_meta` what earlier eras agreed on in a handshake. Over HTTP the headers
// repeat parts of the body; a proxy may have decided by them, so a request whose headers and body disagree is refused.
// Error -32021 (a capability that the client lacks) does not occur: no tool needs anything of the client.
import { isObject } from '../../operations/core/arguments.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import { SERVER } from '../core/app-context.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import { ACCEPTED, errorCodes, failure, type Id, isRequest, type McpReply, success } from './json-rpc.ts';
import { type Methods, type OnError, respondToCall } from './methods.ts';
import { type McpHeaders, STATELESS_VERSION, unsupportedVersion, VERSION_HEADER } from './versions.ts';

export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const METHOD_HEADER = 'mcp-method';
const NAME_HEADER = 'mcp-name';

/**
 * How long a client may use the list of tools and the result of `server/discover`. Both change only when another release
 * is started, which is not known beforehand: the bound is that of the manifest.
 */
export const LIST_TTL_SECONDS = 300;

const SERVER_INFO = `"io.modelcontextprotocol/serverInfo":${JSON.stringify(SERVER)}`;
const COMPLETE = '"resultType":"complete"';
const CACHEABLE = `${COMPLETE},"ttlMs":${LIST_TTL_SECONDS * 1000}`;

// Results are cached as bytes for all eras; the fields of this one are joined to them.
const completeList = (result: Latin1Body, scope: 'public' | 'private' = 'public'): Latin1Body =>
  `{${CACHEABLE},"cacheScope":"${scope}","_meta":{${SERVER_INFO}},${result.slice(1)}` as Latin1Body;
/** The result ends with a `_meta` object, which is not empty. */
const completeCall = (result: Latin1Body): Latin1Body =>
  `{${COMPLETE},${result.slice(1, -2)},${SERVER_INFO}}}` as Latin1Body;

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
    case 'tools/list': {
      const { list, scope } = methods.tools();
      return ok(success(id, completeList(list, scope)));
    }
    case 'server/discover':
      return ok(success(id, completeList(methods.discover())));
    default:
      return { status: 404, body: failure(id, errorCodes.methodNotFound, 'method not found') };
  }
}

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
  if (method !== 'tools/call' || !isObject(params) || typeof params.name !== 'string') return undefined;
  const name = headers[NAME_HEADER];
  return decoded(name) === params.name ? undefined : mismatch(id, NAME_HEADER, name);
}

const mismatch = (id: Id, header: string, value: unknown): McpReply =>
  refuse(
    id,
    errorCodes.headerMismatch,
    value === undefined ? `header missing: ${header}` : `header ${header} does not match the body`,
  );

/** A value that a header cannot hold as it is comes in base64 between these marks. */
const ENCODED = /^=\?base64\?([A-Za-z\d+/]*={0,2})\?=$/;

function decoded(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, base64] = ENCODED.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString();
}
