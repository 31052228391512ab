import { type Operation, publishedSchema } from '../../operations/core/define.ts';
import { SERVER, type Service } from '../core/service.ts';
import { tableFormats } from './csv.ts';

/** OpenAPI 3.1 of the REST surface, made from the operations. */
export function openApiOf({ baseUrl, operations }: Service) {
  const paths: Record<string, object> = { ...fixedPaths };
  for (const operation of operations) {
    if (!operation.rest) continue;
    const { path, method = 'GET' } = operation.rest;
    paths[path.replaceAll(/:(\w+)/g, '{$1}')] = { [method.toLowerCase()]: restOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: SERVER.name,
      version: SERVER.version,
      description: 'Aggregate-only readings of small neighbourhoods. All reads are public.',
      license: { name: 'CC BY-NC-ND 4.0', url: `${baseUrl}/LICENSE-CONTENT.md` },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: { schemas: { Error: errorSchema, Meta: metaSchema } },
  };
}

function restOperation({ name, title, description, input, rest, table }: Operation) {
  const body = publishedSchema(input);
  const { properties, required = [] } = body;
  const parameters = Object.entries(properties).map(([argument, schema]) => {
    const inPath = rest?.path.includes(`:${argument}`) ?? false;
    return {
      name: rest?.names?.[argument] ?? argument,
      in: inPath ? 'path' : 'query',
      required: inPath || (required as string[]).includes(argument),
      schema,
    };
  });
  if (table && !('format' in properties)) parameters.push(formatParameter);
  const content = { 'application/json': { schema: body } };
  return {
    operationId: name,
    summary: title,
    description,
    ...(rest?.method === 'POST' ? { requestBody: { required: true, content } } : { parameters }),
    responses: {
      200: table ? withCsv(answered) : answered,
      400: failure('a parameter is missing or out of range'),
      404: failure('no such pocket or id'),
      ...(rest?.limit && { 429: failure('rate limit exceeded') }),
      503: failure('the datastore is not configured or cannot be reached'),
    },
  };
}

const json = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
const answered = json('the answer', {
  type: 'object',
  properties: { _meta: { $ref: '#/components/schemas/Meta' } },
  required: ['_meta'],
});
const withCsv = ({ description, content }: typeof answered) => ({
  description,
  content: { ...content, 'text/csv': { schema: { type: 'string' } } },
});

/** Of an address whose rows can be had as a table. */
const formatParameter = {
  name: 'format',
  in: 'query',
  required: false,
  schema: {
    type: 'string',
    enum: tableFormats,
    default: 'json',
    description: 'csv: every row that the question selects, newest first, whatever the limit',
  },
};
const failure = (description: string) => json(description, { $ref: '#/components/schemas/Error' });

const errorSchema = {
  type: 'object',
  properties: { error: { type: 'string', description: 'what the caller can mend' } },
  required: ['error'],
};

const metaSchema = {
  type: 'object',
  properties: {
    source: { type: 'string' },
    source_url: { type: 'string' },
    license: { const: 'CC BY-NC-ND 4.0' },
    license_url: { type: 'string' },
    attribution_required: { const: true },
    tool: { type: 'string' },
    computed_at: { type: 'string', format: 'date-time' },
    substrate: { enum: ['simulated', 'live', 'replay'] },
  },
  required: ['source', 'tool', 'computed_at'],
};

const probe = (operationId: string, summary: string, properties: object) => ({
  get: {
    operationId,
    summary,
    responses: { 200: json(summary, { type: 'object', properties, required: Object.keys(properties) }) },
  },
});

const feed = (operationId: string, summary: string, type: string) => ({
  get: {
    operationId,
    summary,
    responses: {
      200: { description: 'the feed', content: { [type]: { schema: {} } } },
      400: failure('a parameter is out of range'),
      404: failure('no such pocket'),
      503: failure('the datastore is not configured or cannot be reached'),
    },
  },
});

const fixedPaths = {
  '/api/mcp': {
    get: {
      operationId: 'manifest',
      summary: 'Discovery manifest',
      responses: { 200: json('manifest', { type: 'object' }) },
    },
    post: {
      operationId: 'mcp',
      summary: 'MCP: one JSON-RPC 2.0 request, or a batch of up to 20',
      requestBody: { required: true, content: { 'application/json': { schema: {} } } },
      responses: {
        200: json('JSON-RPC reply', {}),
        202: { description: 'notification accepted' },
        400: json('JSON-RPC error', {}),
        429: failure('rate limit exceeded'),
      },
    },
  },
  '/stream.rss': feed('stream_rss', 'The stream as RSS, asked as /api/stream is', 'application/rss+xml'),
  '/feed.json': feed(
    'json_feed',
    'The stream as JSON Feed, asked as /api/stream is',
    'application/feed+json',
  ),
  '/api/health': probe('health', 'Liveness probe', { ok: { type: 'boolean' } }),
  '/api/ready': probe('ready', 'Readiness probe: 503 while the first history is written', {
    ready: { type: 'boolean' },
    history: {
      type: 'object',
      properties: {
        done: { type: 'integer', description: 'Days written' },
        total: { type: 'integer' },
        seconds_left: { type: ['integer', 'null'], description: 'While not ready' },
      },
    },
  }),
  '/api/version': probe('version', 'Build version', {
    version: { type: 'string' },
    deployed_at: { type: 'string', format: 'date-time' },
  }),
  '/api/migration-status': probe('migration_status', 'Migration probe', {
    all_applied: { type: 'boolean' },
    missing_count: { type: 'integer' },
    checks: {
      type: 'array',
      items: { type: 'object', properties: { key: { type: 'string' }, applied: { type: 'boolean' } } },
    },
  }),
};
