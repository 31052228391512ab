// OpenAPI 3.1 of the API: every route under /api, and the manifest. test/http/openapi.test.ts compares it with the routes
// and with real answers, and lints it. Pages, feeds and files are not in it.
import { type AppContext, SERVER } from '../answers/app-context.ts';
import { completeEndpoint, describeBody, withExamples } from './complete-endpoint.ts';
import type { ExampleOf } from './examples.ts';
import { feedPaths } from './feed-paths.ts';
import { ledgerPaths } from './ledger-paths.ts';
import { mcpPaths } from './mcp-paths.ts';
import { operationPaths } from './operation-paths.ts';
import { probePaths } from './probe-paths.ts';
import { errorRanges, isOrdinaryError, notModified, statusRange } from './replies.ts';
import { components } from './schemas.ts';
import { createSharer, refTo, type Schema, schemaSharer, withShortNulls } from './share-schemas.ts';
import { streamPaths } from './stream-paths.ts';
import { tags } from './tags.ts';

type DocumentContext = Pick<AppContext, 'baseUrl' | 'operations'>;

const built = new WeakMap<DocumentContext, ReturnType<typeof build>>();

/** Built once for each service, without examples. Answers are not validated against it at run time. */
export function openApiDocument(context: DocumentContext) {
  const document = built.get(context) ?? build(context);
  built.set(context, document);
  return document;
}

function build({ baseUrl, operations }: DocumentContext) {
  const paths: Record<string, Record<string, object>> = {
    ...mcpPaths,
    ...operationPaths(operations),
    ...streamPaths,
    ...ledgerPaths,
    ...feedPaths,
    ...probePaths,
  };
  const complete = (methods: Record<string, object>) => mapValues(methods, completeEndpoint);
  return {
    openapi: '3.1.0',
    info: {
      title: SERVER.name,
      version: SERVER.version,
      description:
        'Aggregate-only readings of small neighbourhoods. All reads are public. In a query, `pocket` and `pocket_id` mean the same at every address; a name that an address does not read is listed in `_meta.ignored`.',
      license: { name: 'CC BY-NC-ND 4.0', url: `${baseUrl}/LICENSE-CONTENT.md` },
    },
    servers: [{ url: baseUrl }],
    // No address asks for a key.
    security: [],
    tags,
    paths: mapValues(paths, complete),
    components: { schemas: mapValues(components, (schema, name) => describeBody(name, schema)) },
  };
}

type Document = ReturnType<typeof build>;
type Endpoint = ReturnType<typeof completeEndpoint>;

const compacted = new WeakMap<Document, ReturnType<typeof compact>>();

/** The document as it is served now: what occurs again is named once, and examples are about what exists. */
export function openApiWithExamples(context: DocumentContext, exampleOf: ExampleOf) {
  const plain = openApiDocument(context);
  const short = compacted.get(plain) ?? compact(plain);
  compacted.set(plain, short);
  const endpoints = mapEndpoints(short.paths, (endpoint) => withExamples(endpoint, exampleOf));
  const parameters = createSharer(
    'parameters',
    listEndpoints(endpoints).flatMap((endpoint) => endpoint.parameters ?? []),
    ({ name }) => name,
  );
  const paths = mapEndpoints(endpoints, ({ parameters: own, ...endpoint }) => ({
    ...endpoint,
    ...(own && { parameters: own.map(parameters.share) }),
  }));
  return { ...short, paths, components: { ...short.components, parameters: parameters.shared } };
}

/** What a request takes is left as it is: examples are made from it. */
function compact(document: Document) {
  const given = mapValues(document.components.schemas as Record<string, Schema>, withShortNulls);
  const short = mapEndpoints(document.paths, (endpoint) => ({
    ...endpoint,
    ...(endpoint.parameters && { parameters: endpoint.parameters.map(withoutRepetition) }),
    responses: mapValues(endpoint.responses, (reply) => mapSchemas(reply, withShortNulls)),
  }));
  const bodies = listEndpoints(short).flatMap(({ operationId: owner, responses }) =>
    Object.values(responses)
      .filter((reply) => !isOrdinaryError(reply))
      .flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => ({ owner, schema }))),
  );
  const schemas = schemaSharer(given, bodies);
  const paths = mapEndpoints(short, (endpoint) => ({
    ...endpoint,
    ...(endpoint.description && { description: firstSentence(endpoint.description) }),
    responses: Object.fromEntries(
      Object.entries(endpoint.responses).map(([status, reply]) =>
        isOrdinaryError(reply)
          ? [statusRange(status), refTo('responses', status.startsWith('4') ? 'Refused' : 'Failed')]
          : [status, status === '304' ? refTo('responses', 'NotModified') : mapSchemas(reply, schemas.share)],
      ),
    ),
  }));
  const named = mapValues(given, schemas.shareFields);
  const components = {
    schemas: { ...named, ...schemas.shared },
    responses: { ...errorRanges, NotModified: notModified[304] },
  };
  return { ...document, paths, components };
}

/** When to ask it and when something else is for models that choose a tool: it stands in `tools/list` and in /docs. */
const firstSentence = (description: string): string => description.replace(/(?<=[.!?]) Use it .*/s, '');

const listEndpoints = <E>(paths: Record<string, Record<string, E>>): E[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

const mapEndpoints = <From, To>(
  paths: Record<string, Record<string, From>>,
  change: (endpoint: From) => To,
) => mapValues(paths, (methods) => mapValues(methods, change));

const mapSchemas = <S extends object>(
  reply: { description: string; content?: Record<string, { schema: S }> },
  change: (schema: Schema) => Schema,
) => ({
  ...reply,
  ...(reply.content && {
    content: mapValues(reply.content, ({ schema }) => ({ schema: change(schema as Schema) })),
  }),
});

/**
 * A parameter says by itself what its schema says of it, and is not required unless it says so. An example that only one
 * address has, which `fields` alone is given, would keep the parameter from being shared.
 */
function withoutRepetition(parameter: NonNullable<Endpoint['parameters']>[number]) {
  const { schema, required, example: _own, ...about } = parameter;
  const { description: _same, ...bare } = schema;
  return { ...about, ...(required && { required }), schema: bare };
}

const mapValues = <From, To>(object: Record<string, From>, change: (value: From, name: string) => To) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
