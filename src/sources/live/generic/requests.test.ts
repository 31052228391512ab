// Addresses with placeholders, and the pages that follow the first.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FeedRequest, Poll } from '../../core/adapter.ts';
import { nextPage, type Paging } from './paging.ts';
import { rootNode } from './pointer.ts';
import { buildRequests, requestContext } from './requests.ts';

const poll: Poll = {
  now: Date.parse('2026-06-10T22:30:00Z'),
  points: [
    { pocket_id: 'a', lat: 51.961234, lng: 7.6 },
    { pocket_id: 'b & c', lat: -37.8, lng: 144.96 },
  ],
  time_zone: 'Europe/Berlin',
};
const urls = (url: string, ids?: string[]) =>
  buildRequests({ url, ...(ids && { ids }) }, poll, 'application/json').map((request) => request.url);

describe('requests of a poll', () => {
  test('one, without placeholders', () => {
    assert.deepEqual(buildRequests({ url: 'https://a.example/' }, poll, 'text/csv'), [
      { url: 'https://a.example/', headers: { accept: 'text/csv' } },
    ]);
  });

  test('one for each point, with four decimals', () => {
    assert.deepEqual(urls('https://a.example/?lat={lat}&lng={lng}'), [
      'https://a.example/?lat=51.9612&lng=7.6000',
      'https://a.example/?lat=-37.8000&lng=144.9600',
    ]);
    assert.equal(urls('https://a.example/{pocket_id}')[1], 'https://a.example/b%20%26%20c');
  });

  test('one for each id; an id cannot leave its place in the address', () => {
    assert.deepEqual(urls('https://a.example/{id}/live', ['x', '../y?z']), [
      'https://a.example/x/live',
      'https://a.example/..%2Fy%3Fz/live',
    ]);
    assert.throws(() => urls('https://a.example/{id}'), /`ids` is missing/);
  });

  test('times, in UTC or by a pattern in the zone of the city', () => {
    assert.deepEqual(urls('https://a.example/?from={now-90m}&to={now}'), [
      'https://a.example/?from=2026-06-10T21%3A00%3A00Z&to=2026-06-10T22%3A30%3A00Z',
    ]);
    assert.deepEqual(urls('https://a.example/{now:YYYY-MM-DD}/{now-1d:YYYY-MM}/{now+1h:HH}/{now:epoch_s}'), [
      'https://a.example/2026-06-11/2026-06/01/1781130600',
    ]);
  });

  test('a question as JSON is sent as it is, to each address, and never conditionally', () => {
    const body = { query: 'from(bucket: "city") |> map(fn: (r) => ({ r with {now}: 1 }))' };
    const requests = buildRequests({ url: 'https://a.example/{lat}', body }, poll, 'text/csv');
    assert.equal(requests.length, 2);
    for (const request of requests) {
      assert.equal(request.body, JSON.stringify(body));
      assert.equal(request.unconditional, true);
    }
    const long = { query: 'x'.repeat(8000) };
    assert.throws(
      () => buildRequests({ url: 'https://a.example/', body: long }, poll, ''),
      /body is longer than 8000/,
    );
  });

  test('an unknown placeholder and too many requests are refused', () => {
    assert.throws(() => urls('https://a.example/{station}'), /unknown placeholder \{station\}/);
    const ids = Array.from({ length: 300 }, (_, i) => String(i));
    assert.throws(() => urls('https://a.example/{id}/{lat}', ids), /more than 500 requests/);
  });

  test('the answer knows what it was asked for', () => {
    const [, second] = buildRequests({ url: 'https://a.example/?lat={lat}' }, poll, 'application/json');
    assert.ok(second);
    const context = requestContext({ id: 'feed' }, second, poll);
    assert.deepEqual(context.names, { point: 'b & c' });
    assert.deepEqual(context.position, { lat: -37.8, lng: 144.96 });
    for (const part of ['{', 'null', '[]', '{"id":1}'])
      assert.deepEqual(requestContext({ id: 'feed' }, { url: '', part }, poll).names, {}, part);
  });
});

describe('the next page', () => {
  const url = 'https://a.example/list?where=x%3D1&offset=0';
  const pages = (paging: Paging, body: unknown, rows: number, request: FeedRequest = { url }) =>
    nextPage(paging, request, rootNode(body), rows);

  const offset: Paging = { by: 'offset', parameter: 'offset', limit: 100 };
  const cases: [name: string, paging: Paging, body: unknown, rows: number, expected: string | null][] = [
    ['a full page', offset, [], 100, 'https://a.example/list?where=x%3D1&offset=100'],
    ['a short page', offset, [], 99, null],
    ['an empty page', { ...offset, total: '/n' }, { n: 1000 }, 0, null],
    [
      'a total beyond it',
      { ...offset, total: '/n' },
      { n: '101' },
      100,
      'https://a.example/list?where=x%3D1&offset=100',
    ],
    ['a total reached', { ...offset, total: '/n' }, { n: 100 }, 100, null],
    [
      'a total that is a text',
      { ...offset, total: '/n' },
      { n: '>100' },
      100,
      'https://a.example/list?where=x%3D1&offset=100',
    ],
    [
      'a flag',
      { ...offset, more: '/more' },
      { more: true },
      5,
      'https://a.example/list?where=x%3D1&offset=100',
    ],
    ['no flag', { ...offset, more: '/more' }, {}, 100, null],
    [
      'a page number',
      { by: 'page', parameter: 'page', limit: 10 },
      [],
      10,
      'https://a.example/list?where=x%3D1&offset=0&page=2',
    ],
    [
      'a page number from 0',
      { by: 'page', parameter: 'page', limit: 10, first: 0 },
      [],
      10,
      'https://a.example/list?where=x%3D1&offset=0&page=1',
    ],
    [
      'a parameter with a dollar',
      { by: 'offset', parameter: '$skip', limit: 500 },
      [],
      500,
      'https://a.example/list?where=x%3D1&offset=0&%24skip=500',
    ],
    [
      'a cursor',
      { by: 'cursor', parameter: 'token', cursor: '/next' },
      { next: 'a b' },
      1,
      'https://a.example/list?where=x%3D1&offset=0&token=a+b',
    ],
    ['no cursor', { by: 'cursor', parameter: 'token', cursor: '/next' }, { next: null }, 1, null],
    ['a link', { by: 'link', next: '/next' }, { next: '/list?page=2' }, 1, 'https://a.example/list?page=2'],
    [
      'a link that forgets https',
      { by: 'link', next: '/next' },
      { next: 'http://a.example/2' },
      1,
      'https://a.example/2',
    ],
    ['a link to itself', { by: 'link', next: '/next' }, { next: url }, 1, null],
    ['no link', { by: 'link', next: '/next' }, {}, 1, null],
  ];
  for (const [name, paging, body, rows, expected] of cases)
    test(name, () => assert.equal(pages(paging, body, rows)?.url ?? null, expected));

  test('on another host is refused: a key travels with the request', () => {
    const link: Paging = { by: 'link', next: '/next' };
    for (const next of ['https://b.example/', 'https://a.example:81/', 'file:///etc/passwd', 'javascript:0'])
      assert.throws(() => pages(link, { next }, 1), /same host/, next);
  });

  test('comes a bounded number of times, with what the first was made for', () => {
    let request: FeedRequest | null = { url, headers: { accept: 'a' }, part: '{"id":"x"}' };
    const seen: string[] = [];
    while (request) {
      seen.push(request.url);
      request = pages({ ...offset, most_pages: 3 }, [], 100, request);
      if (request)
        assert.deepEqual([request.headers, JSON.parse(request.part ?? '').id], [{ accept: 'a' }, 'x']);
    }
    assert.deepEqual(
      seen.map((address) => new URL(address).searchParams.get('offset')),
      ['0', '100', '200'],
    );
  });
});
