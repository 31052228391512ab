import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { type Schema, visitSchemas } from '../../../test/support/answers/json-schema.ts';
import { operations } from '../all.ts';
import { fieldDescriptions, withFieldDescriptions } from './describe-fields.ts';

/** The name of a field and of what holds it, for every field of every answer. */
function eachField(visit: (operation: string, path: string, field: Schema) => void): void {
  for (const { name, output } of operations)
    visitSchemas(output(), (schema, keyword, path) => {
      if (keyword === 'properties') visit(name, path, schema);
    });
}

const readDescription = (schema: object) => (schema as Schema).description;

test('every field of every answer has a description', () => {
  const missing: string[] = [];
  eachField((operation, path, { description }) => {
    if (!/\w{2}/.test(String(description ?? ''))) missing.push(`${operation}${path}`);
  });
  assert.deepEqual(missing, []);
});

test('every parameter has a description', () => {
  for (const { name, input } of operations)
    visitSchemas(input, ({ description }, keyword, path) => {
      if (keyword === 'properties') assert.match(String(description), /\w{2}/, `${name}${path}`);
    });
});

test('every listed description is used', () => {
  const used = new Set<unknown>();
  eachField((_operation, _path, { description }) => used.add(description));
  const unused = Object.entries(fieldDescriptions).filter(([, text]) => !used.has(text));
  assert.deepEqual(
    unused.map(([name]) => name),
    [],
  );
});

test('the own description wins, then that of the name within its parent, then that of the name', () => {
  const field = Type.Object({
    id: Type.String({ description: 'own' }),
    count: Type.Integer(),
    outlet: Type.Union([Type.Object({ id: Type.String() }), Type.Null()]),
    other: Type.Union([Type.Integer({ description: 'inner' }), Type.Null()]),
    unknown_to_all: Type.String(),
  });
  const { properties } = withFieldDescriptions('none', field);
  const described = Object.values(properties).map(readDescription);
  assert.deepEqual(described, ['own', fieldDescriptions.count, fieldDescriptions.outlet, 'inner', undefined]);
  const [outlet] = properties.outlet.anyOf;
  assert.equal(readDescription(outlet.properties.id), fieldDescriptions['outlet.id']);
});
