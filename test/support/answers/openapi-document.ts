// Reads /openapi.json, and checks it as far as OpenAPI 3.1 can be checked without a library for it.
import Type from 'typebox';
import { Meta } from 'typebox/schema';
import { ask } from '../services/http-client.ts';
import { closed, type Schema, schemaFaults } from './json-schema.ts';

export interface Body {
  description: string;
  content?: Record<string, { schema: Schema }>;
}

export interface Endpoint {
  path: string;
  method: string;
  operationId: string;
  tags: string[];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required: boolean;
    description: string;
    example: unknown;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Body>;
}

interface OpenApi {
  tags: { name: string }[];
  paths: Record<string, Record<string, Omit<Endpoint, 'path' | 'method'>>>;
  components: { schemas: Record<string, Schema> };
}

export const readOpenApi = async (url: string): Promise<OpenApi> =>
  (await ask(`${url}/openapi.json`)).json<OpenApi>();

export const endpointsOf = ({ paths }: OpenApi): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method, ...endpoint })),
  );

const text = Type.String({ minLength: 1 });
const anySchema = Type.Record(Type.String(), Type.Unknown());
const content = Type.Record(
  Type.String({ pattern: '^[a-z]+/[a-z.+-]+$' }),
  Type.Object({ schema: anySchema, example: Type.Optional(Type.Unknown()) }),
);
const parameterFields = { name: text, description: text, schema: anySchema, example: Type.Unknown() };
const parameter = Type.Union([
  Type.Object({ ...parameterFields, in: Type.Literal('path'), required: Type.Literal(true) }),
  Type.Object({ ...parameterFields, in: Type.Enum(['query', 'header']), required: Type.Boolean() }),
]);
const endpoint = Type.Object({
  operationId: Type.String({ pattern: '^\\w+$' }),
  tags: Type.Array(text, { minItems: 1, maxItems: 1 }),
  summary: text,
  description: Type.Optional(text),
  parameters: Type.Optional(Type.Array(parameter)),
  requestBody: Type.Optional(Type.Object({ required: Type.Boolean(), content })),
  responses: Type.Record(
    Type.String({ pattern: '^[1-5]\\d\\d$' }),
    Type.Object({ description: text, content: Type.Optional(content) }),
  ),
});

/** The part of OpenAPI 3.1.0 that the document uses (https://spec.openapis.org/oas/v3.1.0). */
const openApi = Type.Object({
  openapi: Type.Literal('3.1.0'),
  info: Type.Object({
    title: text,
    version: text,
    description: text,
    license: Type.Object({ name: text, url: text }),
  }),
  servers: Type.Array(Type.Object({ url: text }), { minItems: 1 }),
  security: Type.Array(anySchema),
  tags: Type.Array(Type.Object({ name: text, description: text })),
  paths: Type.Record(
    Type.String({ pattern: '^/' }),
    Type.Object({ get: Type.Optional(endpoint), post: Type.Optional(endpoint) }),
  ),
  components: Type.Object({ schemas: Type.Record(Type.String({ pattern: '^[\\w.-]+$' }), anySchema) }),
});

const jsonSchema = Meta['https://json-schema.org/draft/2020-12/schema'] as unknown as Schema;

/** The faults of the document; empty when it is valid. */
export function openApiFaults(document: OpenApi): string[] {
  const faults = schemaFaults(closed(openApi), document);
  const endpoints = endpointsOf(document);
  const ids = endpoints.map(({ operationId }) => operationId);
  faults.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is not unique`));
  for (const { path, operationId, parameters = [], requestBody, responses } of endpoints) {
    const templated = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
    const inPath = parameters.filter((own) => own.in === 'path').map(({ name }) => name);
    if (String(templated) !== String(inPath)) faults.push(`${operationId}: ${path} has ${inPath}`);
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.values(body?.content ?? {}),
    );
    for (const { schema } of [...parameters, ...bodies])
      faults.push(...schemaFaults(jsonSchema, schema).map((fault) => `${operationId}: ${fault}`));
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    faults.push(...schemaFaults(jsonSchema, schema).map((fault) => `${name}: ${fault}`));
  return faults;
}
