// Paths of the discovery manifest and of the MCP endpoint, which speaks JSON-RPC 2.0 (src/http/mcp).
import Type, { type TSchema } from 'typebox';
import { timestamp } from '../../operations/core/answer-fields.ts';
import { toolsetNames } from '../../operations/core/toolsets.ts';
import { MAX_BATCH } from '../mcp/dispatcher.ts';
import { badBody, get, internalError, json, methodNotAllowed, tooManyRequests } from './replies.ts';
import { components } from './schemas.ts';

const openObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

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

const empty = (description: string) => Type.Object({}, { description });
const capabilities = Type.Object({ tools: empty('tools are offered; there are no options') });

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

const jsonrpc = Type.Literal('2.0');
const id = Type.Union([Type.String(), Type.Number(), Type.Null()]);

const request = Type.Object({
  jsonrpc,
  id: Type.Optional(Type.Union(id.anyOf, { description: 'left out: a notification, which is not answered' })),
  method: Type.String({
    description:
      'tools/list, tools/call, or a notification; initialize and ping up to 2025-11-25, server/discover in 2026-07-28',
  }),
  params: Type.Optional(
    openObject('what the method takes; of tools/call the name and the arguments of the tool'),
  ),
});

const content = Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }));

/** Fields of protocol version 2026-07-28, which earlier ones do not have. */
const resultType = Type.Optional(Type.Literal('complete'));
const serverInfo = Type.Object({ name: Type.String(), version: Type.String() });
const withServer = { 'io.modelcontextprotocol/serverInfo': Type.Optional(serverInfo) };
const cacheable = {
  resultType,
  ttlMs: Type.Optional(Type.Integer({ minimum: 0, description: 'how long the result may be used' })),
  cacheScope: Type.Optional(Type.Literal('public')),
  _meta: Type.Optional(Type.Object(withServer)),
};

const results = {
  initialize: Type.Object({
    protocolVersion: Type.String(),
    capabilities,
    serverInfo,
    instructions: Type.String(),
  }),
  discover: Type.Object({
    ...cacheable,
    supportedVersions: Type.Array(Type.String()),
    capabilities,
    instructions: Type.String(),
  }),
  toolList: Type.Object({ ...cacheable, tools: Type.Array(tool) }),
  toolAnswer: Type.Object({
    resultType,
    content,
    structuredContent: openObject('the answer of the tool that was called'),
    _meta: Type.Object({ ...components.Meta.properties, ...withServer }),
  }),
  toolError: Type.Object({
    resultType,
    content,
    isError: Type.Literal(true),
    _meta: Type.Object({
      source: Type.String(),
      tool: Type.String(),
      computed_at: timestamp,
      ...withServer,
    }),
  }),
  ping: empty('of ping'),
};

const failed = Type.Object({
  jsonrpc,
  id: Type.Optional(id),
  error: Type.Object({
    code: Type.Integer({ description: '-32700 to -32600, or of 2026-07-28 -32020 and -32022' }),
    message: Type.String(),
    data: Type.Optional(openObject('of -32022 the versions that are supported and the one requested')),
  }),
});

const response = Type.Union([
  Type.Object({ jsonrpc, id, result: Type.Union(Object.values(results)) }),
  failed,
]);

/** One, or a batch of them. */
const oneOrBatch = (schema: TSchema) =>
  Type.Union([schema, Type.Array(schema, { minItems: 1, maxItems: MAX_BATCH })]);

const chosenToolsets = Type.String({
  description: `sets of tools that tools/list lists, comma-separated: ${toolsetNames.join(', ')}; all tools when left out. Every tool can be called.`,
});
const toolsetParameters = [
  { name: 'toolset', in: 'query', required: false, schema: chosenToolsets },
  { name: 'x-pocketwatch-toolsets', in: 'header', required: false, schema: chosenToolsets },
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
      requestBody: { required: true, content: { 'application/json': { schema: oneOrBatch(request) } } },
      responses: {
        200: json('JSON-RPC reply', oneOrBatch(response)),
        202: { description: 'notification accepted' },
        400: json(
          'JSON-RPC error: not JSON, not a request, of another protocol version, or an unknown toolset',
          failed,
        ),
        404: json('JSON-RPC error: no such method (2026-07-28)', failed),
        413: badBody[413],
        ...tooManyRequests,
        ...internalError,
      },
    },
  },
  '/.well-known/mcp.json': get('well_known_manifest', 'Discovery manifest, at its well-known address', {
    200: json('the manifest', manifest),
    ...internalError,
  }),
};
