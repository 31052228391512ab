// The REST surface over real HTTP: bodies, caching, errors and methods of every operation that has an address.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { SLOT } from '../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { listExplanations } from '../../src/operations/decision/list-explanations.ts';
import type { getStream } from '../../src/operations/report/get-stream.ts';
import { countOpenPredictions } from '../../src/store/prediction/prediction-ledger.ts';
import { allEndpoints } from '../support/answers/openapi-document.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { callTool, NOON, startService } from '../support/services/service.ts';

const { url, service, clock, store } = await startService({ after: after as TestContext['after'] });
const mcp = `${url}/api/mcp`;
const atmosphere = `${url}/api/atmosphere?pocket=tiongbahru`;
const rests = service.operations.flatMap(({ name, cache, rest }) => (rest ? [{ name, cache, ...rest }] : []));
const outlet = service.registry.outlets.find(({ active }) => active)?.id;
const inactive = service.registry.outlets.find(({ active }) => !active)?.id;
/** A value for every parameter name; those that an operation does not know are ignored. */
const parameters = `pocket=tiongbahru&a=tiongbahru&b=dempsey&query=holland&slug=quiet-now&outlet=${outlet}&id=${outlet}&month=2026-10`;
const gets = rests.filter(({ method }) => method !== 'POST');
/** An id of each kind that a path may ask for. */
const [decision] = (await ask(`${url}/api/explanations`)).json<AnswerOf<typeof listExplanations>>().items;
const submitted = (await post(`${url}/api/benchmark/submit`, submission())).json().submission_id;
const withIds = (path: string) =>
  path
    .replace('explanations/:id', `explanations/${decision?.id}`)
    .replace('scores/:id', `scores/${submitted}`)
    .replace('entry/:id', `entry/${submitted}`);
const addresses = gets.map(({ path }) => `${url}${withIds(path)}?${parameters}`);

test('every JSON object carries _meta, except the probes', async () => {
  for (const [at, address] of addresses.entries()) {
    const reply = await ask(address);
    assert.equal(reply.status, 200, address);
    const { ignored: _ignored, ..._meta } = reply.json<{ _meta: Record<string, unknown> }>()._meta;
    assert.deepEqual(_meta, {
      source: 'pocketwatch.test',
      source_url: 'http://pocketwatch.test',
      license: 'CC BY-NC-ND 4.0',
      license_url: 'http://pocketwatch.test/LICENSE-CONTENT.md',
      attribution_required: true,
      tool: gets[at]?.name,
      computed_at: new Date(NOON).toISOString(),
      substrate: 'simulated',
    });
  }
  const probes: [path: string, keys: string[]][] = [
    ['/api/health', ['ok']],
    ['/api/version', ['version', 'deployed_at']],
    ['/api/migration-status', ['all_applied', 'missing_count', 'checks']],
  ];
  for (const [path, keys] of probes) assert.deepEqual(Object.keys((await ask(url + path)).json()), keys);
});

test('a body is the structured half of the tool result', async () => {
  const { _meta, ...body } = (await ask(`${atmosphere}&hours=2`)).json();
  const { structuredContent } = await callTool(url, 'get_pocket_atmosphere', {
    pocket_id: 'tiongbahru',
    hours: 2,
  });
  assert.deepEqual(body, structuredContent);
});

test('a reply may be cached until the next reading unless it expires sooner, and is revalidated by its ETag', async () => {
  for (const [at, address] of addresses.entries()) {
    const cacheControl = gets[at]?.cache === false ? 'no-cache' : 'public, max-age=900';
    const first = await ask(address);
    assert.equal(first.headers['cache-control'], cacheControl);
    const etag = String(first.headers.etag);
    assert.match(etag, /^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(address, { headers: { 'if-none-match': known } });
      assert.deepEqual([again.status, again.text], [304, '']);
      assert.equal(again.headers.etag, etag);
      assert.equal(again.headers['cache-control'], cacheControl);
    }
    const changed = await ask(address, { headers: { 'if-none-match': '"other"' } });
    assert.equal(changed.status, 200);
  }
});

test('the next quarter hour has replies of its own', async (t) => {
  t.after(() => {
    clock.now = NOON;
  });
  const { etag } = (await ask(atmosphere)).headers;
  clock.now = NOON + SLOT - 1;
  assert.equal((await ask(atmosphere)).headers.etag, etag);
  clock.now = NOON + SLOT;
  const next = await ask(atmosphere);
  assert.notEqual(next.headers.etag, etag);
  assert.equal(next.headers['cache-control'], 'public, max-age=5');
});

test('a repeated call is answered from the current data, with its own id', async (t) => {
  t.after(() => {
    clock.now = NOON;
  });
  const params = { name: 'get_pocket_atmosphere', arguments: { pocket_id: 'tiongbahru' } };
  const callWith = async (id: number) => {
    const reply = (await post(mcp, { jsonrpc: '2.0', id, method: 'tools/call', params })).json<{
      id: number;
      result: { _meta: { computed_at: string } };
    }>();
    assert.equal(reply.id, id);
    return reply.result._meta.computed_at;
  };
  await callWith(7);
  const [first, again, other] = [await callWith(7), await callWith(7), await callWith(8)];
  clock.now = NOON + SLOT;
  const next = await callWith(7);
  assert.deepEqual([again, other], [first, first]);
  assert.notEqual(next, first);
});

test('a failed call is not cached', async (t) => {
  t.after(() => {
    clock.now = NOON;
  });
  const failed = async () => (await callTool(url, 'no_such_tool'))._meta.computed_at;
  const first = await failed();
  clock.now = NOON + 1000;
  assert.notEqual(await failed(), first);
});

test('HEAD is GET without a body', async () => {
  for (const address of [atmosphere, mcp, `${url}/docs`, `${url}/nowhere`, `${url}/api/atmosphere`]) {
    const [get, head] = [await ask(address), await ask(address, { method: 'HEAD' })];
    assert.deepEqual([head.status, head.text], [get.status, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
      assert.equal(head.headers[name], get.headers[name], `${name} of ${address}`);
  }
});

test('the stream shows each kind of event of the last day', async () => {
  const kinds = ['narration', 'prediction', 'sustainability'];
  for (const limit of [12, 50]) {
    const { events } = (await ask(`${url}/api/stream?since=24h&limit=${limit}`)).json<
      AnswerOf<typeof getStream>
    >();
    assert.equal(events.length, limit);
    for (const kind of kinds) {
      const own = (await ask(`${url}/api/stream?since=24h&limit=200&type=${kind}`)).json<{ count: number }>();
      const shown = events.filter(({ type }) => type === kind).length;
      assert.ok(own.count > 0 && shown >= Math.min(own.count, Math.floor(limit / 3)), kind);
    }
  }
});

const errors: [query: string, status: number, error: string][] = [
  ['/api/atmosphere', 400, 'pocket is required'],
  ['/api/atmosphere?pocket=', 400, 'pocket is required'],
  ['/api/atmosphere?pocket=siglap&hours=0', 400, 'hours must be 1-24'],
  ['/api/atmosphere?pocket=siglap&hours=four', 400, 'hours must be a number'],
  ['/api/atmosphere?pocket=siglap&hours=2&hours=3', 400, 'hours must be a number'],
  ['/api/atmosphere?pocket=siglap&pocket=holland', 400, 'pocket must be a string'],
  ['/api/atmosphere?pocket=siglap%00', 400, 'pocket must not hold a NUL character'],
  [`/api/lookup?query=${'x'.repeat(81)}`, 400, 'query too long (max 80 chars)'],
  ['/api/atmosphere?pocket=atlantis', 404, 'unknown pocket: atlantis'],
  ['/api/atmosphere?pocket=__proto__', 404, 'unknown pocket: __proto__'],
  ['/api/atmosphere?pocket=%3Cscript%3E', 404, 'unknown pocket: <script>'],
  ['/api/merchant-readiness?pocket=siglap&limit=101', 400, 'limit must be 1-100'],
  ['/api/observed-patterns', 400, 'id is required'],
  ['/api/observed-patterns?id=atlantis', 404, 'unknown outlet: atlantis'],
  [`/api/observed-patterns?id=${inactive}`, 404, `unknown outlet: ${inactive}`],
  ['/%zz', 400, 'address is not well-formed'],
];
/** A name that does not exist is marked as such, beside the message. */
const unknownFlags = (error: string) => {
  const [, kind] = /^unknown (pocket|outlet)/.exec(error) ?? [];
  return kind ? { [`unknown_${kind}`]: true } : {};
};
for (const [query, status, error] of errors) {
  test(`${query.slice(0, 60)} → ${status} ${error}`, async () => {
    const reply = await ask(url + query);
    assert.equal(reply.status, status);
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    const { error: message, did_you_mean: _similar, ...flags } = reply.json();
    assert.equal(message, error);
    assert.deepEqual(flags, unknownFlags(error));
  });
}

const twoPockets = 'pocket and pocket_id mean the same: give one, or the same in both';

test('pocket and pocket_id mean the same at every address that takes a pocket', async () => {
  const ofPocket = service.operations.filter(
    ({ input, rest }) => rest && rest.method !== 'POST' && 'pocket_id' in input.properties,
  );
  assert.ok(ofPocket.length > 30);
  const more = parameters.replace(/^pocket=\w+&/, '');
  for (const { name, rest } of ofPocket) {
    const answer = async (pocket: string) => {
      const reply = await ask(`${url}${rest?.path}?${more}&${pocket}`);
      return { status: reply.status, body: reply.json() };
    };
    const plain = await answer('pocket=tiongbahru');
    assert.equal(plain.status, 200, name);
    for (const same of [
      'pocket_id=tiongbahru',
      'pocket=&pocket_id=tiongbahru',
      'pocket_id=tiongbahru&pocket=tiongbahru',
    ])
      assert.deepEqual(await answer(same), plain, `${name} ${same}`);
    for (const unknown of ['pocket=atlantis', 'pocket_id=atlantis']) {
      const { status, body } = await answer(unknown);
      assert.deepEqual(
        [status, body.error, body.unknown_pocket],
        [404, 'unknown pocket: atlantis', true],
        name,
      );
    }
    const { status, body } = await answer('pocket=tiongbahru&pocket_id=siglap');
    assert.deepEqual([status, body], [400, { error: twoPockets }], name);
  }
});

test('feeds and the live stream take either name too, and the pocket of a path is the one of the path', async () => {
  for (const path of ['/feed.json', '/stream.rss', '/api/stream/live'])
    for (const name of ['pocket', 'pocket_id'])
      assert.equal((await ask(`${url}${path}?${name}=atlantis`)).status, 404, path);
  const feed = `${url}/pocket/siglap/forecasts.rss`;
  const items = async (address: string) => (await ask(address)).text.match(/<item>.*<\/item>/s)?.[0];
  assert.ok(await items(feed));
  for (const other of ['pocket=dempsey', 'pocket_id=dempsey'])
    assert.equal(await items(`${feed}?${other}`), await items(feed), other);
});

test('parameters that nobody reads are listed in _meta.ignored', async () => {
  const { _meta: own, ...plain } = (await ask(atmosphere)).json<{ _meta: object }>();
  const table: [query: string, ignored?: string[]][] = [
    ['utm_source=x', ['utm_source']],
    ['__proto__=x', ['__proto__']],
    ['constructor=1&constructor=2', ['constructor']],
    ['b=1&a=2&b=3', ['b', 'a']],
    ['%22%3Cscript%3E%E2%80%AE=1', ['"<script>']],
    ['&&='],
    ['%', ['%']],
    ['hours='],
    ['pocket_id=tiongbahru'],
    ['format=csv', ['format']],
    [`${'é'.repeat(100)}=1`, [`${'é'.repeat(63)}…`]],
    [
      Array.from({ length: 2000 }, (_, n) => `p${n}=`).join('&'),
      Array.from({ length: 20 }, (_, n) => `p${n}`),
    ],
  ];
  for (const [query, ignored] of table) {
    // The second reply comes from the cache.
    for (let time = 0; time < 2; time += 1) {
      const { _meta, ...body } = (await ask(`${atmosphere}&${query}`)).json();
      assert.deepEqual(body, plain, query);
      assert.deepEqual(_meta, ignored ? { ...own, ignored } : own, query);
    }
  }
});

test('every address tells what it ignores, and nothing that it reads', async () => {
  const endpoints = await allEndpoints(url);
  const others = ['/feed.json', `/api/ledger/proof/${submitted}`, '/api/ledger/consistency?from=1'];
  const asked = [
    ...gets.map(({ path }) => `${withIds(path)}?${parameters}`),
    ...others.map((path) => (path.includes('?') ? path : `${path}?`)),
  ];
  for (const address of asked) {
    const [path = '', query = ''] = address.split('?');
    const read = endpoints
      .find((own) => new RegExp(`^${own.path.replaceAll(/{\w+}/g, '[^/]+')}$`).test(path))
      ?.parameters?.flatMap((own) => (own.in === 'query' ? own.name : []));
    const names = [...new URLSearchParams(query).keys()].filter(
      (name) => !read?.includes(name) && !(name === 'pocket' && read?.includes('pocket_id')),
    );
    const { _meta } = (await ask(`${url}${address}&utm_source=x`)).json<{ _meta: { ignored: string[] } }>();
    assert.deepEqual(_meta.ignored, [...names, 'utm_source'], address);
  }
  const legitimacy = { pocket_id: 'siglap', candidate_action: 'lunch_nudge' };
  const { _meta } = (await post(`${url}/api/legitimacy?channel=push`, legitimacy)).json<{
    _meta: { ignored: string[] };
  }>();
  assert.deepEqual(_meta.ignored, ['channel']);
});

test('another method is a 405 that names the allowed ones', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const { path, method: own = 'GET' } of rests) {
      if (method === own) continue;
      const reply = await ask(url + withIds(path), { method });
      const allowed = own === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
      assert.deepEqual([reply.status, reply.headers.allow], [405, allowed]);
      assert.deepEqual(reply.json(), { error: `method not allowed: use ${own}` });
    }
    if (method === 'POST') continue;
    const reply = await ask(mcp, { method });
    assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD, POST, OPTIONS']);
  }
});

test('an id in a path may be percent-encoded, and another method there is a 405 too', async () => {
  const encoded = `${url}/api/explanations/${encodeURIComponent(String(decision?.id))}`;
  assert.match(encoded, /%3A/);
  assert.equal((await ask(encoded)).json().id, decision?.id);
  for (const address of [encoded, `${url}/api/explanations/nothing`]) {
    const reply = await ask(address, { method: 'DELETE' });
    assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD, OPTIONS']);
  }
  for (const path of ['/api/explanations/a/b', '/api/explanations/a/', '/explanation/a'])
    assert.equal((await ask(url + path, { method: 'DELETE' })).status, 404, path);
});

test('a REST POST requires JSON', async () => {
  const { paths } = (await ask(`${url}/openapi.json`)).json<{ paths: Record<string, object> }>();
  const posts = Object.keys(paths).filter((path) => 'post' in (paths[path] ?? {}) && path !== '/api/mcp');
  assert.ok(posts.length);
  for (const path of posts) {
    const typed = await post(url + path, '{}', { 'content-type': 'text/plain' });
    assert.deepEqual([typed.status, typed.json()], [415, { error: 'content-type must be application/json' }]);
    assert.equal((await post(url + path, '{')).status, 400);
    assert.equal((await post(url + path, '[]')).status, 400);
  }
});

test('the count of open forecasts is that of the ledger', async () => {
  for (const until of [NOON, NOON - 3 * SLOT]) {
    const open = await countOpenPredictions(store, { after: 0, until });
    const unrevealed = await store.get<{ count: number }>(
      'select count(*) as count from predictions where slot <= ? and leaf not in (select prediction_leaf from reveals)',
      until,
    );
    assert.ok(open > 0);
    assert.equal(open, unrevealed?.count);
  }
});
