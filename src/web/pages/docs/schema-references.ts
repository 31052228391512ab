// References of the OpenAPI document: `{"$ref": "#/components/…"}` stands for what is there.

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

/** What references lead to. */
export interface Components {
  components: { schemas: Record<string, Schema>; [kind: string]: Record<string, object> };
}

interface Reference {
  $ref?: string;
}

/** References that are followed one within the other: a schema may name itself. */
export const MAX_REFERENCES = 8;

/** What is said beside a reference, such as a description of its own, wins. One that leads nowhere is left out. */
export function resolve<T extends object>(given: T & Reference, document: Components): T {
  let found: T & Reference = given;
  for (let followed = 0; found.$ref !== undefined && followed < MAX_REFERENCES; followed++) {
    const { $ref, ...own } = found;
    found = { ...lookUp($ref, document), ...own } as T & Reference;
  }
  return found;
}

function lookUp(reference: string, document: Components): object {
  let found: unknown = document;
  for (const name of reference.replace(/^#\//, '').split('/')) {
    const isThere = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    found = isThere ? (found as Record<string, unknown>)[name] : undefined;
  }
  return typeof found === 'object' && found !== null ? found : {};
}

/** A schema without references, as deep as they are followed. */
export function inline(schema: Schema, document: Components, followed = 0): Schema {
  if (followed > MAX_REFERENCES) return {};
  const { properties, patternProperties, items, anyOf, ...rest } = resolve(schema, document);
  const next = followed + (schema.$ref === undefined ? 0 : 1);
  const inner = (own: Schema) => inline(own, document, next);
  const each = (own: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(own).map(([name, field]) => [name, inner(field)]));
  return {
    ...rest,
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  };
}
