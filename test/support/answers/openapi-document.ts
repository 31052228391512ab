// Reads /openapi.json, lists routes in its form, and checks it as far as OpenAPI 3.1 can be checked without a library for it.
import Type from 'typebox';
import { Meta } from 'typebox/schema';
import { ask } from '../services/http-client.ts';
import { closeSchema, type Schema, schemaFaults } from './json-schema.ts';
import { sharePaths } from './share-paths.ts';
import { sitePaths } from './site-paths.ts';

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
    required?: boolean;
    description: string;
    example?: unknown;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, Body>;
}

interface OpenApi {
  tags: { name: string }[];
  paths: Record<string, Record<string, Omit<Endpoint, 'path' | 'method'>>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Body>;
    parameters: Record<string, NonNullable<Endpoint['parameters']>[number]>;
  };
}

export const readOpenApi = async (url: string): Promise<OpenApi> =>
  (await ask(`${url}/openapi.json`)).json<OpenApi>();

/** Parameters and replies are resolved, as far as they are references. */
export const listEndpoints = ({ paths, components }: Partial<OpenApi>): Endpoint[] => {
  const { responses = {}, parameters = {} } = components ?? {};
  const resolve = <T extends object>(value: T, shared: Record<string, T>): T =>
    '$ref' in value ? (shared[String(value.$ref).replace(/^.*\//, '')] as T) : value;
  return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({
      path,
      method,
      ...endpoint,
      ...(endpoint.parameters && {
        parameters: endpoint.parameters.map((own) => resolve(own, parameters)),
      }),
      responses: Object.fromEntries(
        Object.entries(endpoint.responses).map(([status, own]) => [status, resolve(own, responses)]),
      ),
    })),
  );
};

/** What the document says of a reply with this status. */
export const documentedReply = ({ responses }: Endpoint, status: number): Body | undefined =>
  responses[status] ?? responses[`${String(status)[0]}XX`];

/** Every route: those of the document, and those of the site. */
export const allEndpoints = async (url: string): Promise<Endpoint[]> => [
  ...listEndpoints(await readOpenApi(url)),
  ...listEndpoints({ paths: { ...sitePaths, ...sharePaths } as OpenApi['paths'] }),
];

const text = Type.String({ minLength: 1 });
const name = Type.String({ pattern: '^[\\w.-]+$' });
const anySchema = Type.Record(Type.String(), Type.Unknown());
const content = Type.Record(
  Type.String({ pattern: '^[a-z]+/[a-z.+-]+$' }),
  Type.Object({ schema: anySchema, example: Type.Optional(Type.Unknown()) }),
);
const parameterFields = {
  name: text,
  description: text,
  schema: anySchema,
  example: Type.Optional(Type.Unknown()),
};
const reference = Type.Object({
  $ref: Type.String({ pattern: '^#/components/(schemas|responses|parameters)/\\w+$' }),
});
const parameter = Type.Union([
  Type.Object({ ...parameterFields, in: Type.Literal('path'), required: Type.Literal(true) }),
  Type.Object({
    ...parameterFields,
    in: Type.Enum(['query', 'header']),
    required: Type.Optional(Type.Literal(true)),
  }),
]);
const reply = Type.Object({ description: text, content: Type.Optional(content) });
const endpoint = Type.Object({
  operationId: Type.String({ pattern: '^\\w+$' }),
  tags: Type.Array(text, { minItems: 1, maxItems: 1 }),
  summary: text,
  description: Type.Optional(text),
  parameters: Type.Optional(Type.Array(Type.Union([parameter, reference]))),
  requestBody: Type.Optional(Type.Object({ required: Type.Boolean(), content })),
  responses: Type.Record(Type.String({ pattern: '^[1-5](\\d\\d|XX)$' }), Type.Union([reply, reference])),
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
  components: Type.Object({
    schemas: Type.Record(name, anySchema),
    responses: Type.Record(name, reply),
    parameters: Type.Record(name, parameter),
  }),
});

const jsonSchema = Meta['https://json-schema.org/draft/2020-12/schema'] as unknown as Schema;

/** The faults of the document; empty when it is valid. */
export function openApiFaults(document: OpenApi): string[] {
  const faults = schemaFaults(closeSchema(openApi), document);
  const endpoints = listEndpoints(document);
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
