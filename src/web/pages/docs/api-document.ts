// The parts of the OpenAPI document that /docs is made from, and the addresses that have a page there.

/** The JSON Schema keywords that our schemas use. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

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

export interface ApiDocument {
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, Endpoint>>;
  components: { schemas: Record<string, Schema> };
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

export const docsPathOf = (path: string): string => `/docs${path.replaceAll(/[{}]/g, '')}`;

/** Pages explain themselves, and assets are for pages alone. */
const isExplained = (path: string, { responses }: Endpoint): boolean =>
  !path.startsWith('/assets/') && !('text/html' in (responses[200]?.content ?? {}));

/** In the order of the tags. */
export function documentedAddresses({ tags, paths }: ApiDocument): DocumentedAddress[] {
  const all = Object.entries(paths).flatMap(([path, methods]) => {
    const endpoints = Object.entries(methods)
      .filter(([, endpoint]) => isExplained(path, endpoint))
      .map(([method, endpoint]) => ({ ...endpoint, method: method.toUpperCase() }));
    const [tag = ''] = endpoints[0]?.tags ?? [];
    return endpoints.length ? [{ path, docsPath: docsPathOf(path), tag, endpoints }] : [];
  });
  return tags.flatMap(({ name }) => all.filter(({ tag }) => tag === name));
}

export const resolve = (schema: Schema, { components }: Pick<ApiDocument, 'components'>): Schema =>
  schema.$ref ? (components.schemas[schema.$ref.replace(/^.*\//, '')] ?? {}) : schema;
