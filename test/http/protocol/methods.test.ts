// HEAD and OPTIONS of every route, and the redirects of pages.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, type TestContext, test } from 'node:test';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import { sampleIds } from '../../support/answers/operation-answers.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { ask, type Reply } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const endpoints = await allEndpoints(url);
const ids = await sampleIds(url);
const routes = Map.groupBy(endpoints, ({ path }) => path);

const ownHeaders = ({ headers: { date: _now, 'x-request-id': _id, ...headers } }: Reply) => headers;

async function assertHeadIsGet(address: string, headers = {}): Promise<void> {
  const get = await ask(address, { headers });
  const head = await ask(address, { method: 'HEAD', headers });
  assert.deepEqual([head.status, head.text], [get.status, ''], address);
  const { 'transfer-encoding': chunked, ...own } = ownHeaders(get);
  assert.deepEqual(ownHeaders(head), own, address);
  // A table has no length before it is read, and a stream none at all.
  assert.equal(chunked !== undefined, /format=csv|stream\/live/.test(address), address);
}

for (const [path, methods] of routes) {
  const [endpoint] = methods;
  const own = methods.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  const allow = [...own, 'OPTIONS'].join(', ');
  test(`${allow} ${path}`, async () => {
    assert.ok(endpoint);
    const address = url + sampleAddress(endpoint, service, ids);
    // Twice: the second time from the cache of replies, where there is one.
    if (own.includes('HEAD')) for (const _turn of [1, 2]) await assertHeadIsGet(address);
    const options = await ask(address, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.text, options.headers.allow], [204, '', allow]);
    assert.equal(options.headers['access-control-allow-origin'], '*');
    assert.match(String(options.headers['access-control-allow-methods']), /GET.*POST/);
    for (const method of ['DELETE', ...(own.includes('HEAD') ? [] : ['HEAD', 'GET'])]) {
      const refused = await ask(address, { method });
      assert.deepEqual([refused.status, refused.headers.allow], [405, allow], method);
    }
  });
}

test('HEAD of errors, tables, event streams and known ETags', async () => {
  const atmosphere = `${url}/api/atmosphere?pocket=tiongbahru`;
  const { etag } = (await ask(atmosphere)).headers;
  const cases: [address: string, headers: object][] = [
    [atmosphere, { 'if-none-match': etag }],
    [`${url}/api/atmosphere`, {}],
    [`${url}/api/atmosphere?pocket=atlantis`, { accept: 'application/problem+json' }],
    [`${url}/nothing`, { accept: 'text/html' }],
    [`${url}/pocket/Serene`, {}],
    [`${url}/api/mcp`, { accept: 'text/event-stream' }],
    [`${url}/api/predictions?format=csv`, {}],
  ];
  for (const [address, headers] of cases) await assertHeadIsGet(address, headers);
});

test('OPTIONS * is about the whole service', async () => {
  const { port } = new URL(url);
  const [reply] = (await once(
    request({ port, host: '127.0.0.1', path: '*', method: 'OPTIONS' }).end(),
    'response',
  )) as [IncomingMessage];
  reply.resume();
  assert.deepEqual([reply.statusCode, reply.headers.allow], [204, 'GET, HEAD, POST, OPTIONS']);
});

test('OPTIONS of an unknown address is a 404, but for a preflight', async () => {
  const preflight = { origin: 'https://elsewhere.test', 'access-control-request-method': 'GET' };
  assert.equal((await ask(`${url}/nothing`, { method: 'OPTIONS' })).status, 404);
  assert.equal((await ask(`${url}/nothing`, { method: 'OPTIONS', headers: preflight })).status, 204);
});

test('pages redirect to their true address, the API never does', async () => {
  const outlet = service.registry.outlets.find(({ active }) => active)?.id ?? '';
  const moved: [path: string, location: string][] = [
    ['/docs/', '/docs'],
    ['/trust//?window=7d', '/trust?window=7d'],
    ['/pocket/TiongBahru', '/pocket/tiongbahru'],
    ['/pocket/TiongBahru/?x=1', '/pocket/TiongBahru?x=1'],
    ['/pocket/tiongbahru/intent/Quiet-Now?x=%2F', '/pocket/tiongbahru/intent/quiet-now?x=%2F'],
    [`/outlet/${outlet.toUpperCase()}`, `/outlet/${outlet}`],
    [`/ledger/${ids.prediction.toUpperCase()}`, `/ledger/${ids.prediction}`],
    [`/explanations/SILENCE:${ids.silence}`, `/explanations/silence:${ids.silence}`],
  ];
  for (const [path, location] of moved) {
    for (const method of ['GET', 'HEAD']) {
      const reply = await ask(url + path, { method });
      assert.deepEqual([reply.status, reply.headers.location, reply.text], [308, location, ''], path);
    }
    assert.equal((await fetch(url + path)).status, 200, path);
  }
  const stays = [
    ...['/api/', '/api/health/', '/api/moment?pocket=TiongBahru', `/api/ledger/entry/${ids.silence}/`],
    ...['/pocket/ATLANTIS', '/nothing/', '/.well-known/mcp.json/', '/DOCS'],
  ];
  for (const path of stays) assert.equal((await ask(url + path)).status, 404, path);
  for (const path of [
    '//evil.example/',
    '//evil.example/docs/',
    '/pocket//evil.example',
    '/\\evil.example/',
    '/%2Fevil.example/',
  ])
    assert.equal((await ask(url + path)).headers.location, undefined, path);
});
