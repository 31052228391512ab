// Paths of the discovery manifest and of the MCP endpoint, which speaks JSON-RPC 2.0 (src/http/mcp).
import Type, { type TSchema } from 'typebox';
import { toolsetNames } from '../../operations/core/toolsets.ts';
import { MAX_BATCH } from '../mcp/dispatcher.ts';
import { id, jsonrpc, openObject } from './mcp-request.ts';
import { badBody, get, internalError, json, methodNotAllowed } from './replies.ts';
import { components, ref } from './schemas.ts';

const tool = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  inputSchema: openObject('JSON Schema of the arguments'),
  annotations: Type.Object({
    readOnlyHint: Type.Boolean(),
    destructiveHint: Type.Boolean(),
    idempotentHint: Type.Boolean(),
    openWorldHint: Type.Boolean(),
  }),
});

const capabilities = Type.Object({
  tools: Type.Object({}, { description: 'tools are offered; there are no options' }),
});

const manifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.String(),
  protocolVersion: Type.String(),
  transport: Type.Literal('http'),
  endpoint: Type.String(),
  capabilities,
  tools: Type.Array(tool),
  documentation: Type.String(),
  contact: Type.String(),
});

const failed = Type.Object({
  jsonrpc,
  id: Type.Optional(id),
  error: Type.Object({
    code: Type.Integer({
      description:
        '-32700 to -32600; -32000 over a limit; -32002 for a resource that does not exist, up to 2025-11-25; -32020 and -32022 in 2026-07-28',
    }),
    message: Type.String(),
    data: Type.Optional(
      openObject(
        'for -32022, the versions that are supported and the one requested; for an unknown resource, its uri',
      ),
    ),
  }),
});

const figures = Type.Object(Type.Omit(components.RateLimitError, ['error']).properties, {
  description: 'when the request may be sent again',
});
/** Its figures also stand beside the error, where they do at every other address. */
const limited = Type.Object({
  ...failed.properties,
  error: Type.Object({ ...failed.properties.error.properties, data: figures }),
  ...figures.properties,
});

/** Which fields a result has is the protocol's to say, not this document's. */
const result = openObject(
  'what the Model Context Protocol defines for the method; for tools/call: content (the answer as text), structuredContent (its fields) and _meta, or isError',
);
const response = Type.Union([Type.Object({ jsonrpc, id, result }), failed]);

const stream = Type.String({
  description:
    'server-sent events, each a JSON-RPC message: notifications/subscriptions/acknowledged first, then notifications/resources/updated with the uri of a pocket that has a new reading; a comment every 15 seconds',
});

/** One, or a batch of them. */
const oneOrBatch = (schema: TSchema) =>
  Type.Union([schema, Type.Array(schema, { minItems: 1, maxItems: MAX_BATCH })]);

const chosenToolsets = Type.String({
  description: `sets of tools that tools/list lists, comma-separated: ${toolsetNames.join(', ')}; all tools when left out. Every tool can be called.`,
});
const toolsetParameters = [
  { name: 'toolset', in: 'query', required: false, schema: chosenToolsets },
  {
    name: 'x-pocketwatch-toolsets',
    in: 'header',
    required: false,
    schema: Type.String({ description: 'the same as toolset, where the address cannot be changed' }),
  },
];

export const mcpPaths = {
  '/api/mcp': {
    ...get('manifest', 'Discovery manifest', {
      200: json('the manifest', manifest),
      ...methodNotAllowed,
      ...internalError,
    }),
    post: {
      operationId: 'mcp',
      summary: `MCP: one JSON-RPC 2.0 request, or a batch of up to ${MAX_BATCH}`,
      parameters: toolsetParameters,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: oneOrBatch(ref('McpRequest')) } },
      },
      responses: {
        200: {
          description: 'JSON-RPC reply; for subscriptions/listen a stream, until either side ends it',
          content: {
            'application/json': { schema: oneOrBatch(response) },
            'text/event-stream': { schema: stream },
          },
        },
        202: { description: 'notification accepted' },
        400: json(
          'JSON-RPC error: not JSON, not a request, of another protocol version, or an unknown toolset',
          failed,
        ),
        404: json('JSON-RPC error: no such method (2026-07-28)', failed),
        413: badBody[413],
        429: json('JSON-RPC error: rate limit exceeded', limited),
        ...internalError,
        503: json('JSON-RPC error: too many streams are open, or the service is stopping', failed),
      },
    },
  },
  '/.well-known/mcp.json': get('well_known_manifest', 'Discovery manifest, at its well-known address', {
    200: json('the manifest', manifest),
    ...internalError,
  }),
};
