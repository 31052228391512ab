import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSharer, type Schema, schemaSharer, withShortNulls } from './share-schemas.ts';

const text = (description: string): Schema => ({ type: 'string', description });
const place = (description?: string): Schema => ({
  type: 'object',
  properties: { latitude: text('degrees to the north'), longitude: text('degrees to the east') },
  ...(description !== undefined && { description }),
});
const body = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function shareAll(bodies: Record<string, Schema>, given: Record<string, Schema> = {}) {
  const list = Object.entries(bodies).map(([owner, schema]) => ({ owner, schema }));
  const { share, shared } = schemaSharer(given, list);
  return { bodies: list.map(({ schema }) => share(schema)), shared };
}

describe('schemas that occur again', () => {
  test('are named once, for the field that has them', () => {
    const { bodies, shared } = shareAll({
      list_pockets: body({ centre: place('of the pocket') }),
      get_outlet: body({ centre: place('of the pocket'), name: text('its name') }),
    });
    assert.deepEqual(shared, { Centre: place('of the pocket') });
    assert.deepEqual(bodies, [
      body({ centre: ref('Centre') }),
      body({ centre: ref('Centre'), name: text('its name') }),
    ]);
  });

  test('have a description of their own beside the reference', () => {
    const { bodies, shared } = shareAll({
      one: body({ home: place('where it is'), work: place('where it goes') }),
    });
    assert.deepEqual(shared, { Home: place() });
    assert.deepEqual(bodies[0]?.properties, {
      home: { ...ref('Home'), description: 'where it is' },
      work: { ...ref('Home'), description: 'where it goes' },
    });
  });

  test('that differ in their description alone have their shape named once', () => {
    const both = () => body({ home: place('where it is'), work: place('where it goes') });
    const { bodies, shared } = shareAll({ one: both(), two: body({ ...both().properties, x: {} }) });
    assert.deepEqual(shared, {
      HomeShape: place(),
      Home: { ...ref('HomeShape'), description: 'where it is' },
      Work: { ...ref('HomeShape'), description: 'where it goes' },
    });
    assert.deepEqual(bodies[0]?.properties, { home: ref('Home'), work: ref('Work') });
  });

  test('and one that occurs without a description, or with one of its own, is that shape', () => {
    const { bodies, shared } = shareAll({
      one: body({ home: place('where it is'), plain: place() }),
      two: body({ home: place('where it is'), x: {}, away: place('where it is not') }),
    });
    assert.deepEqual(Object.keys(shared).sort(), ['Away', 'Home']);
    assert.deepEqual(shared.Away, place());
    assert.deepEqual(shared.Home, { ...ref('Away'), description: 'where it is' });
    assert.deepEqual(bodies[1]?.properties?.away, { ...ref('Away'), description: 'where it is not' });
  });

  test('of one field and different shapes are told apart by what is around them', () => {
    const other = body({ easting: text('metres to the east'), northing: text('metres to the north') });
    const { shared } = shareAll(
      {
        one: body({ at: place(), more: { type: 'array', items: body({ at: other }) } }),
        two: body({ at: place(), again: body({ at: other, x: {} }) }),
        three: body({ at: place() }),
      },
      { Unused: {} },
    );
    assert.deepEqual(Object.keys(shared).sort(), ['At', 'MoreAt']);
  });

  test('refer to each other, and a short or single one stays where it is', () => {
    const way = body({ from: place(), to: place(), name: text('x') });
    const { bodies, shared } = shareAll({
      one: body({ way, id: text('a') }),
      two: body({ way, at: text('a') }),
    });
    assert.deepEqual(shared, {
      Way: body({ from: ref('To'), to: ref('To'), name: text('x') }),
      To: place(),
    });
    assert.deepEqual(bodies[0], body({ way: ref('Way'), id: text('a') }));
  });
});

test('a union with null becomes a list of types, if what it is beside is plain', () => {
  const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }], description: 'd' });
  assert.deepEqual(withShortNulls(nullable({ type: 'number', description: 'inner' })), {
    type: ['number', 'null'],
    description: 'd',
  });
  assert.deepEqual(withShortNulls(nullable({ enum: ['a'] })), { enum: ['a', null], description: 'd' });
  for (const kept of [place(), ref('A'), { type: 'string', const: 'a' }])
    assert.deepEqual(withShortNulls(nullable(kept)), nullable(kept));
});

test('parameters of one name and different bounds get a number', () => {
  const all = [1, 1, 2, 2, 3].map((maximum) => ({ name: 'row_limit', maximum }));
  const { share, shared } = createSharer('parameters', all, ({ name }) => name);
  assert.deepEqual(all.map(share), [
    ...Array(2).fill({ $ref: '#/components/parameters/RowLimit' }),
    ...Array(2).fill({ $ref: '#/components/parameters/RowLimit2' }),
    { name: 'row_limit', maximum: 3 },
  ]);
  assert.deepEqual(Object.keys(shared), ['RowLimit', 'RowLimit2']);
});
