// What the routes of the ledger cost an address: proofs in units, stored bytes in a share of the bandwidth.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const from = (address: string) => ({ 'x-forwarded-for': address });

test('computed proofs are counted as other reads are, and tiles are not', async (t) => {
  const { url } = await startService(t, { readLimit: 6 });
  const get = (path: string) => ask(url + path);
  const { entries } = (await get('/api/ledger/entries?type=silence&limit=1')).json<{
    entries: { id: string }[];
  }>();
  const proof = `/api/ledger/proof/${entries[0]?.id}`;
  assert.equal((await get(proof)).status, 200);
  let answered = 0;
  const consistency = (from: number) => get(`/api/ledger/consistency?from=${from}`);
  while (answered < 9 && (await consistency(300 + answered)).status === 200) answered += 1;
  // A request is a unit, and the tiles that it is computed from cost a part of one.
  assert.ok(answered >= 1 && answered < 5, `${answered} proofs of consistency were answered`);
  for (const path of ['/api/atmosphere?pocket=holland&hours=7', '/api/ledger/consistency?from=7', proof]) {
    const refused = await get(path);
    assert.equal(refused.status, 429, path);
    assert.equal(refused.headers['retry-after'], undefined);
    assert.equal(refused.headers['cache-control'], 'no-store');
    assert.deepEqual(refused.json(), {
      error: 'rate limit exceeded: at most 6 units of reading in 60 seconds',
      limit: 6,
      window_seconds: 60,
      retry_in_seconds: 60,
      hint: 'a request costs one unit, plus one for every 100 rows asked for and one for every 64 KiB answered',
    });
  }
  for (const path of ['checkpoint', 'key', 'tile/0/000', 'tile/entries/000'])
    assert.equal((await get(`/api/ledger/${path}`)).status, 200, path);
});

test('an address that reads the ledger too fast gets a 429, others and cached tiles do not', async (t) => {
  // So slow that what is given back while the test runs does not matter: a bundle takes a minute.
  const limit = 3000;
  const { url } = await startService(t, { ledgerBytesPerSecond: limit, trustedProxies: ['127.0.0.1'] });
  const get = (path: string, address: string, headers = {}) =>
    ask(`${url}/api/ledger/${path}`, { headers: { ...from(address), ...headers } });
  const bundle = await get('tile/entries/000', '2001:db8:1:1::1');
  assert.equal(bundle.status, 200);
  assert.equal(bundle.headers['cache-control'], 'public, max-age=31536000, immutable');

  // The next address of the same client: an IPv6 client has all of its /64.
  for (const path of ['tile/entries/001', 'tile/0/001', 'checkpoint', 'key', `detached/${'0'.repeat(64)}`]) {
    const refused = await get(path, '2001:db8:1:1:ffff::9');
    assert.equal(refused.status, 429, path);
    assert.equal(refused.headers['retry-after'], undefined);
    assert.equal(refused.headers['cache-control'], 'no-store');
    assert.equal(refused.headers.etag, undefined);
    const { retry_in_seconds, ...body } = refused.json<{ retry_in_seconds: number }>();
    assert.deepEqual(body, {
      error: `rate limit exceeded: at most ${limit} bytes of the ledger in 1 second`,
      limit,
      window_seconds: 1,
      hint: 'tiles never change: read each once, a few at a time',
    });
    assert.ok(Number.isInteger(retry_in_seconds) && retry_in_seconds >= 1 && retry_in_seconds <= 120);
  }
  const { etag } = bundle.headers;
  const known = await get('tile/entries/000', '2001:db8:1:1::1', { 'if-none-match': etag });
  assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', etag], 'what it has is free');
  assert.equal((await get('tile/entries/001', '2001:db8:1:2::1')).status, 200, 'another /64');
  assert.equal((await get('tile/entries/001', '203.0.113.7')).status, 200);
});

test('a tile that is computed from its entries counts as more than another', async (t) => {
  // Twenty seconds for the one, five for the other, of which four are saved up.
  const { url } = await startService(t, { ledgerBytesPerSecond: 3000, trustedProxies: ['127.0.0.1'] });
  const get = async (path: string, address: string) =>
    (await ask(`${url}/api/ledger/tile/${path}`, { headers: from(address) })).status;
  assert.deepEqual(
    [await get('1/000.p/1', '203.0.113.8'), await get('1/000.p/1', '203.0.113.8')],
    [200, 200],
  );
  for (const [n, path] of ['0/000', '0/000.p/9'].entries()) {
    const address = `203.0.113.${20 + n}`;
    assert.deepEqual([await get(path, address), await get('1/000.p/1', address)], [200, 429], path);
  }
});

test('the path of a tile is its ETag: another tile, another width and one that is not there are not known', async (t) => {
  const { url } = await startService(t);
  const get = (path: string, headers = {}) => ask(`${url}/api/ledger/tile/${path}`, { headers });
  const fetchEtag = async (path: string) => String((await get(path)).headers.etag);
  const etag = await fetchEtag('0/000');
  const others = ['0/001', '0/001.p/7', 'entries/000', '1/000.p/1'];
  const tags = [etag, ...(await Promise.all(others.map(fetchEtag)))];
  assert.equal(new Set(tags).size, tags.length);
  for (const path of others) assert.equal((await get(path, { 'if-none-match': etag })).status, 200, path);
  assert.equal((await get('0/999', { 'if-none-match': '*' })).status, 404);
  const spelt = await get('0%2F000', { 'if-none-match': etag });
  assert.deepEqual([spelt.status, spelt.headers.etag], [200, undefined], 'another spelling is not kept');
});

test('a reader with many requests at once is slowed down and not refused', async (t) => {
  const { url } = await startService(t, { ledgerBytesPerSecond: 2 * 1024 * 1024 });
  const path = (n: number) => `${url}/api/ledger/tile/entries/${String(n).padStart(3, '0')}`;
  const replies = await Promise.all(Array.from({ length: 56 }, (_, n) => ask(path(n))));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
});
