// The parts of the OpenAPI document that /docs is made from, and the addresses that have a page there.
import { type Components, inline, resolve, type Schema } from './schema-references.ts';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Endpoint {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface ApiDocument extends Components {
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Endpoint>>;
}

export interface DocumentedEndpoint extends Endpoint {
  /** In capitals. */
  method: string;
}

/** An address with a page of its own. */
export interface DocumentedAddress {
  /** As the document writes it, such as `/api/ledger/entry/{id}`. */
  path: string;
  /** The address of its page. */
  docsPath: string;
  tag: string;
  endpoints: readonly DocumentedEndpoint[];
}

export const docsPath = (path: string): string => `/docs${path.replaceAll(/[{}]/g, '')}`;

/** Pages explain themselves; pictures and what is at /assets/ are for pages and browsers alone. */
const ownExplanation = /^(?:text\/html|image\/(?:png|x-icon)|text\/javascript|application\/manifest\+json)$/;

const isExplained = (path: string, { responses }: Endpoint): boolean =>
  !path.startsWith('/assets/') &&
  !Object.keys(responses[200]?.content ?? {}).some((type) => ownExplanation.test(type));

/** What several endpoints share may stand in the document's components. Schemas of answers are read by listFields. */
function resolveEndpoint(endpoint: Endpoint, document: Components): Endpoint {
  const { parameters = [], requestBody, responses } = endpoint;
  const body = requestBody && resolve(requestBody, document);
  const content = Object.entries(body?.content ?? {}).map(([type, { schema, ...rest }]) => [
    type,
    { ...rest, schema: inline(schema, document) },
  ]);
  return {
    ...endpoint,
    parameters: parameters.map((given) => {
      const parameter = resolve(given, document);
      return { ...parameter, schema: inline(parameter.schema, document) };
    }),
    ...(body && { requestBody: { ...body, content: Object.fromEntries(content) } }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, reply]) => [status, resolve(reply, document)]),
    ),
  };
}

/** In the order of the tags. */
export function documentedAddresses(document: ApiDocument): DocumentedAddress[] {
  const { tags, paths } = document;
  const all = Object.entries(paths).flatMap(([path, methods]) => {
    const endpoints = Object.entries(methods)
      .map(([method, endpoint]) => [method, resolveEndpoint(endpoint, document)] as const)
      .filter(([, endpoint]) => isExplained(path, endpoint))
      .map(([method, endpoint]) => ({ ...endpoint, method: method.toUpperCase() }));
    const [tag = ''] = endpoints[0]?.tags ?? [];
    return endpoints.length ? [{ path, docsPath: docsPath(path), tag, endpoints }] : [];
  });
  return tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}
