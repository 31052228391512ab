import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiDocument, documentedAddresses, type Endpoint } from './api-document.ts';
import { createSearch } from './search.ts';

const endpoint = (
  operationId: string,
  summary: string,
  field: string,
  type = 'application/json',
): Endpoint => ({
  operationId,
  summary,
  tags: ['All'],
  parameters: [
    {
      name: 'pocket',
      in: 'query',
      required: true,
      description: 'slug of a place',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description: '',
      content: {
        [type]: { schema: { properties: { [field]: { description: `the ${field}` }, _meta: {} } } },
      },
    },
  },
});

const document: ApiDocument = {
  tags: [{ name: 'All', description: '' }],
  paths: {
    '/api/moment': { get: endpoint('get_moment', 'Moment of a place', 'fragility') },
    '/api/calm': { get: endpoint('find_calm', 'Where it is calm', 'level'), post: endpoint('set', 'x', 'y') },
    '/api/day/{id}': { get: endpoint('get_day', 'A day', 'calm') },
    '/about': { get: endpoint('page_about', 'Page', 'none', 'text/html') },
    '/assets/a.css': { get: endpoint('asset', 'Asset', 'none', 'text/css') },
  },
  components: { schemas: {} },
};
const addresses = documentedAddresses(document);
const search = createSearch(addresses, document);
const found = (query: string) => search(query).map(({ address, fields }) => [address.path, ...fields]);

test('pages and assets have no page; an address has one for all of its methods', () => {
  assert.deepEqual(
    addresses.map(({ docsPath, endpoints }) => [docsPath, ...endpoints.map(({ method }) => method)]),
    [
      ['/docs/api/moment', 'GET'],
      ['/docs/api/calm', 'GET', 'POST'],
      ['/docs/api/day/id', 'GET'],
    ],
  );
});

test('paths, titles and operations are found before fields, and fields are named', () => {
  assert.deepEqual(found('calm'), [['/api/calm'], ['/api/day/{id}', 'calm']]);
  assert.deepEqual(found('GET_MOMENT'), [['/api/moment']]);
});

test('parameters and fields are found by name and by description, and all words must occur', () => {
  assert.deepEqual(found('the fragility'), [['/api/moment', 'fragility']]);
  assert.deepEqual(found('day slug'), [['/api/day/{id}', 'pocket']]);
  assert.deepEqual(found('fragility calm'), []);
});

test('no words find nothing, and _meta is in every answer', () => {
  assert.deepEqual(found('  '), []);
  assert.deepEqual(found('_meta'), []);
});
