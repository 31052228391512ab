import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { noStore } from '../../store/engine/open.ts';
import type { AnswerOf } from '../core/define.ts';
import { listOutlets } from './list-outlets.ts';

const [first] = city.outlets;
const outlet = (n: number, name: string, more: Partial<Outlet> = {}): Outlet => ({
  ...(first ?? assert.fail()),
  ...{ id: `0000000${n}-0000-4000-8000-000000000000`, name, pocket_id: 'siglap', active: true, ...more },
});
const outlets = [
  outlet(1, 'Zebra Bar', { category: 'bar' }),
  outlet(2, 'Café Crème'),
  outlet(3, 'Adam’s Books', { pocket_id: 'tiongbahru', category: 'bookshop' }),
  outlet(4, 'Cafe Gone', { active: false }),
  outlet(5, 'Evil\u202eName'),
];
const ask = (given = {}, registry = { ...city, outlets }) =>
  askOperation(listOutlets, noStore(), 0, given, registry);
const names = async (given = {}) => (await ask(given)).structured.outlets.map(({ name }) => name);

test('each active outlet with what stands on its own page, and nothing else; no store is needed', async () => {
  const { structured, text } = await ask({ pocket_id: 'tiongbahru' });
  const { unit, opens_at, closes_at } = outlets[2] ?? assert.fail();
  assert.deepEqual(structured, {
    count: 1,
    name_match: null,
    outlets: [
      {
        id: '00000003-0000-4000-8000-000000000000',
        name: 'Adam’s Books',
        pocket_id: 'tiongbahru',
        unit,
        opens_at,
        closes_at,
        category: 'bookshop',
        url: 'https://pocketwatch.test/outlet/00000003-0000-4000-8000-000000000000',
      },
    ],
  });
  assert.equal(
    text,
    `active outlets that match in tiongbahru: 1.\n'Adam’s Books', bookshop in tiongbahru, open ${opens_at} to ${closes_at} SGT: 00000003-0000-4000-8000-000000000000.`,
  );
});

test('by pocket and name, inactive ones left out, names made printable', async () => {
  assert.deepEqual(await names(), ['Café Crème', 'EvilName', 'Zebra Bar', 'Adam’s Books']);
  assert.deepEqual(await names({ category: 'bar' }), ['Zebra Bar']);
  assert.deepEqual(await names({ category: 'bar', pocket_id: 'tiongbahru' }), []);
});

test('q is a part of the name, whatever its case and accents', async () => {
  const table: [q: string, found: string[]][] = [
    ['cafe', ['Café Crème']],
    ['CREME', ['Café Crème']],
    ['crème', ['Café Crème']],
    ["adam's", ['Adam’s Books']],
    ['books', ['Adam’s Books']],
    ['gone', []],
    ['siglap', []],
    ['%', []],
    ['!?', []],
  ];
  for (const [q, found] of table) assert.deepEqual(await names({ q }), found, q);
});

test('a misspelt name is found among those that were asked for, and the answer says so', async () => {
  const { structured, text } = await ask({ q: 'adms boks' });
  assert.deepEqual([structured.count, structured.name_match], [1, 'similar']);
  assert.equal(structured.outlets[0]?.name, 'Adam’s Books');
  assert.match(text, /^active outlets that match by a similar name: 1\./);
  assert.deepEqual(await names({ q: 'adms boks', pocket_id: 'siglap' }), []);
  assert.equal((await ask({ q: 'books' })).structured.name_match, 'part');
});

test('count is that of all that match, whatever part of them is listed', async () => {
  const { structured } = await ask({ limit: 2 });
  assert.deepEqual([structured.count, structured.outlets.length], [4, 2]);
  const all = await names();
  assert.deepEqual(await names({ limit: 2, offset: 2 }), all.slice(2));
  assert.deepEqual(await names({ offset: 4 }), []);
});

describe('GET /api/outlets', async () => {
  const { url, service } = await startService(
    { after: after as TestContext['after'] },
    { days: 0, place: 'none' },
  );
  const active = service.registry.outlets.filter((one) => one.active);

  test('the whole directory, without a store', async () => {
    const { count, outlets } = (await get(`${url}/api/outlets`)).json<AnswerOf<typeof listOutlets>>();
    assert.equal(count, active.length);
    assert.deepEqual(outlets.map(({ id }) => id).sort(), active.map(({ id }) => id).sort());
  });

  for (const [query, status, error] of [
    ['pocket=atlantis', 404, 'unknown pocket: atlantis'],
    ['category=pub', 400, /^category must be one of cafe, bakery/],
    [`q=${'x'.repeat(81)}`, 400, /^q /],
    ['limit=501', 400, 'limit must be 1-500'],
    ['pocket=siglap&unknown=1', 200, undefined],
  ] as const)
    test(query.slice(0, 30), async () => {
      const reply = await get(`${url}/api/outlets?${query}`);
      assert.equal(reply.status, status);
      if (error instanceof RegExp) assert.match(reply.json<{ error: string }>().error, error);
      else assert.equal(reply.json<{ error?: string }>().error, error);
    });
});
