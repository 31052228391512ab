import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inline, type Schema } from './schema-references.ts';
import { listFields, typeWords } from './schema-words.ts';

const types: [schema: Schema, words: string][] = [
  [{ type: 'string' }, 'text'],
  [{ type: 'string', minLength: 1, maxLength: 64 }, 'text, 1 to 64 characters'],
  [{ type: 'string', format: 'date-time' }, 'time, ISO 8601'],
  [{ type: 'integer', minimum: 1, maximum: 500 }, 'integer, 1 to 500'],
  [{ type: 'number', minimum: 0 }, 'number, at least 0'],
  [{ type: 'number', maximum: 7 }, 'number, at most 7'],
  [{ enum: ['a', 'b'] }, 'one of a, b'],
  [{ enum: [...'abcdefghijklmn'] }, 'one of a, b, c, d, e, f, g, h, i, j, k, l and 2 more'],
  [{ type: 'boolean', const: true }, 'true'],
  [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, 'text or null'],
  [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 9 }, 'list of texts, 1 to 9 items'],
  [{}, 'any value'],
];
for (const [schema, words] of types)
  test(`${JSON.stringify(schema)} is ${words}`, () => assert.equal(typeWords(schema), words));

test('the fields of a body: those of lists, unions, references and maps too, each once, _meta last', () => {
  const document = {
    components: { schemas: { Meta: { description: 'about it', properties: { tool: { type: 'string' } } } } },
  };
  const row: Schema = { properties: { id: { type: 'string', description: 'its id' } }, required: ['id'] };
  const body: Schema = {
    anyOf: [
      {
        properties: {
          _meta: { $ref: '#/components/schemas/Meta' },
          rows: { type: 'array', items: row, description: 'the rows' },
          faults: { type: 'object', patternProperties: { '.*': { properties: { n: { type: 'integer' } } } } },
        },
        required: ['rows'],
      },
      { properties: { rows: { type: 'null', description: 'nothing' } } },
    ],
  };
  assert.deepEqual(
    listFields(body, document).map(({ path, type, description, required }) => [
      path,
      type,
      description,
      required,
    ]),
    [
      ['rows', 'list of any value or null', 'the rows; or: nothing', false],
      ['rows[].id', 'text', 'its id', true],
      ['faults', 'object', '', false],
      ['faults.*.n', 'integer', '', false],
      ['_meta', 'any value', 'about it', false],
      ['_meta.tool', 'text', '', false],
    ],
  );
});

describe('references', () => {
  const document = {
    components: {
      schemas: {
        Text: { type: 'string', description: 'a text' },
        Name: { $ref: '#/components/schemas/Text', description: 'a name' },
        Tree: {
          type: 'object',
          properties: {
            name: { $ref: '#/components/schemas/Name' },
            branches: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          },
        },
        Loop: { $ref: '#/components/schemas/Loop' },
        Union: { anyOf: [{ $ref: '#/components/schemas/Union' }, { type: 'null' }] },
      },
    },
  } satisfies { components: { schemas: Record<string, Schema> } };
  const to = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

  test('are followed in lists, unions and through each other; what stands beside one wins', () => {
    const body: Schema = {
      properties: {
        names: { type: 'array', items: to('Name') },
        either: { anyOf: [to('Name'), { type: 'null' }], description: 'one of two' },
        own: { ...to('Name'), description: 'its own' },
      },
    };
    assert.deepEqual(
      listFields(body, document).map(({ path, type, description }) => [path, type, description]),
      [
        ['names', 'list of texts', ''],
        ['either', 'text or null', 'one of two'],
        ['own', 'text', 'its own'],
      ],
    );
    assert.equal(typeWords(inline({ type: 'array', items: to('Name') }, document)), 'list of texts');
  });

  test('to what names itself end', () => {
    assert.deepEqual(
      listFields(to('Tree'), document).map(({ path }) => path),
      ['name', 'branches'],
    );
    assert.deepEqual(listFields(to('Loop'), document), []);
    assert.match(typeWords(to('Union'), document), /any value or null/);
    assert.ok(JSON.stringify(inline(to('Tree'), document)).length < 10_000);
  });

  test('that lead nowhere, or to what every object has, are any value', () => {
    for (const name of ['None', 'constructor', '__proto__'])
      assert.equal(typeWords(to(name), document), 'any value');
  });
});
