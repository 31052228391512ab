// Validates answers against published schemas, more strictly than a client would: every field must be described.
import assert from 'node:assert/strict';
import { Compile, Errors, type Validator } from 'typebox/schema';

export type Schema = Record<string, unknown>;

type Inner = [keyword: string, schemas: Record<string, Schema>];

/** The schemas inside a schema, by the keyword that holds them. */
function innerSchemas(schema: Schema): Inner[] {
  const { properties, patternProperties, items, anyOf, allOf } = schema;
  assert.equal(allOf, undefined, 'an object that is split with allOf cannot be closed');
  return [
    ['properties', (properties ?? {}) as Record<string, Schema>],
    ['patternProperties', (patternProperties ?? {}) as Record<string, Schema>],
    ['items', (items ? { items } : {}) as Record<string, Schema>],
    ['anyOf', Object.fromEntries(((anyOf ?? []) as Schema[]).entries())],
  ];
}

/** Calls `visit` for the schema and every schema inside it, with its path. */
export function visitSchemas(
  given: object,
  visit: (schema: Schema, keyword: string, path: string) => void,
  keyword = '',
  path = '',
): void {
  const schema = given as Schema;
  visit(schema, keyword, path);
  for (const [inner, schemas] of innerSchemas(schema))
    for (const [name, member] of Object.entries(schemas))
      visitSchemas(member, visit, inner, `${path}/${name}`);
}

/** The schema with its references resolved and every object closed to fields that it does not name. */
export function closeSchema(given: object, components: Record<string, Schema> = {}): Schema {
  const schema = given as Schema;
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const target = components[$ref.replace('#/components/schemas/', '')];
    assert.ok(target, `${$ref} does not resolve`);
    return closeSchema(target, components);
  }
  const close = (member: Schema) => closeSchema(member, components);
  const result: Schema = { ...schema };
  for (const [keyword, schemas] of innerSchemas(schema)) {
    if (!(keyword in schema)) continue;
    if (keyword === 'items') result.items = close(schema.items as Schema);
    else if (keyword === 'anyOf') result.anyOf = Object.values(schemas).map(close);
    else
      result[keyword] = Object.fromEntries(
        Object.entries(schemas).map(([name, member]) => [name, close(member)]),
      );
  }
  if (schema.type === 'object' && !('additionalProperties' in schema)) result.additionalProperties = false;
  return result;
}

/** By the text of their schema, since services of one process publish the same ones. */
const validators = new Map<string, Validator>();

/** Checks a long answer in a hundredth of the time that it takes without compilation. */
function validatorOf(schema: Schema): Validator {
  const text = JSON.stringify(schema);
  const validator = validators.get(text) ?? Compile(schema);
  validators.set(text, validator);
  return validator;
}

/** Returns the faults of a value, one a line; none when it fits. */
export function schemaChecker(schema: Schema): (value: unknown) => string[] {
  const validator = validatorOf(schema);
  return (value) => {
    // Listing the faults of a long answer takes longer than asking for it, and most have none.
    if (validator.Check(value)) return [];
    const [, errors] = Errors(schema, value);
    const lines = errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
    return [...new Set(lines)].slice(0, 20);
  };
}

/** The faults of a value, one per line; empty when it fits. */
export const schemaFaults = (schema: Schema, value: unknown): string[] => schemaChecker(schema)(value);
