// Compressed replies over real HTTP, as browsers (fetch) and bare clients get them.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { assets } from '../../../src/web/site/assets.ts';
import { ask } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

const { url } = await startService({ after: after as TestContext['after'] });

/** A reply with the bytes as they came. */
function raw(path: string, headers: Record<string, string>, method = 'GET') {
  type Raw = { status: number; headers: Record<string, string | undefined>; bytes: Buffer };
  return new Promise<Raw>((resolve, reject) => {
    request(url + path, { method, headers, agent: false }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers: headers as Raw['headers'], bytes });
    })
      .on('error', reject)
      .end();
  });
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
const texts = [
  '/',
  '/pocket/tiongbahru',
  '/docs',
  '/sitemap.xml',
  '/stream.rss',
  '/feed.json',
  '/forecasts.rss',
  '/openapi.json',
  '/glossary.md',
  assets.script.address,
  '/api/explanations',
  '/api/predictions?pocket=tiongbahru',
  // Computed by the queue of heavy questions, and too long for the cache of replies.
  '/api/predictions?limit=500',
];

for (const path of texts)
  test(`${path} is the same text in every encoding, each with its own ETag`, async () => {
    const plain = await raw(path, {});
    assert.equal(plain.status, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.headers.vary ?? '', /\baccept-encoding\b/);
    const etags = [plain.headers.etag];
    for (const [encoding, decode] of Object.entries(decoders)) {
      const wanted = { 'accept-encoding': encoding };
      // The first compresses, the second finds it compressed.
      for (const _turn of [1, 2]) {
        const { status, headers, bytes } = await raw(path, wanted);
        assert.deepEqual([status, headers['content-encoding']], [200, encoding]);
        assert.equal(headers['content-length'], String(bytes.length));
        assert.ok(bytes.length < plain.bytes.length / 2, `${bytes.length} of ${plain.bytes.length}`);
        assert.deepEqual(decode(bytes), plain.bytes);
        for (const name of ['content-type', 'cache-control', 'vary', 'content-security-policy'])
          assert.equal(headers[name], plain.headers[name], name);
      }
      const { headers } = await raw(path, wanted, 'HEAD');
      assert.equal(headers['content-encoding'], encoding);
      const etag = headers.etag ?? '';
      const known = await raw(path, { ...wanted, 'if-none-match': etag });
      assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, etag]);
      assert.equal(known.headers['content-encoding'], undefined);
      assert.equal(known.headers.vary, plain.headers.vary);
      // Another encoding has other bytes: the client does not have these.
      assert.equal((await raw(path, { 'if-none-match': etag })).status, 200);
      assert.equal((await raw(path, { ...wanted, 'if-none-match': plain.headers.etag ?? '' })).status, 200);
      etags.push(etag);
    }
    assert.equal(new Set(etags).size, 3);
    for (const etag of etags) assert.match(etag ?? '', /^"[\w-]+"$/);
  });

test('a browser reads them as if they were not compressed', async () => {
  for (const path of ['/', '/api/explanations']) {
    const reply = await fetch(url + path);
    assert.match(String(reply.headers.get('content-encoding')), /^(br|gzip)$/);
    assert.equal(await reply.text(), (await ask(url + path)).text);
  }
});

test('many at once compress once and get the same', async () => {
  const path = '/api/explanations?limit=49';
  const all = await Promise.all(
    Array.from({ length: 20 }, () => raw(path, { 'accept-encoding': 'gzip, br' })),
  );
  assert.equal(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size, 1);
});

test('what is short, not a text, an error or a table is sent as it is', async () => {
  const paths = [
    ...['/api/health', '/robots.txt', '/api/nothing', '/nothing', '/api/ledger/tile/0/000'],
    '/api/counterfactuals?pocket=tiongbahru&format=csv',
  ];
  for (const path of paths)
    assert.equal((await raw(path, { 'accept-encoding': 'br' })).headers['content-encoding'], undefined, path);
});
