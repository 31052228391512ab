import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { findLedger, httpFetch } from './http-fetch.ts';
import { prediction, servedLog } from './testing/served-log.ts';

const log = servedLog();
log.append(Array.from({ length: 600 }, (_, i) => prediction(i)));

/** How often each path was asked for. */
const asked: Record<string, number> = {};
const server = createServer(async (request, response) => {
  const path = (request.url ?? '').slice('/sub/api/ledger/'.length);
  const count = (asked[path] ?? 0) + 1;
  asked[path] = count;
  if (path === 'full' || (path === 'busy' && count < 3))
    return response.writeHead(429).end('{"error":"too fast","retry_in_seconds":0}');
  if (path === 'down' || (path === 'restarting' && count < 3))
    return response.writeHead(503).end('{"error":"datastore unavailable","retry_in_seconds":0}');
  if (path === 'busy' || path === 'restarting') return response.writeHead(200).end('free');
  if (path === 'broken') return response.writeHead(500).end();
  if (path === 'endless') {
    response.writeHead(200);
    const chunk = Buffer.alloc(65_536);
    const pour = (): void => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', pour);
    };
    return pour();
  }
  const bytes = path === 'missing' ? undefined : await log.fetch(path, 0);
  return bytes === undefined ? response.writeHead(404).end('{}') : response.writeHead(200).end(bytes);
});
let base = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test('verifies a log over HTTP', async () => {
  const verdict = await verifyLedger({ fetch: httpFetch(base) });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.size, 600);
});

test('handles 404, an error status, a body over the limit, and an unreachable server', async () => {
  const fetch = httpFetch(base);
  assert.equal(await fetch('missing', 10), undefined);
  await assert.rejects(fetch('broken', 10), { code: 'unavailable', message: /status 500/ });
  await assert.rejects(fetch('endless', 100_000), { code: 'unavailable', message: /more than 100000 bytes/ });
  await assert.rejects(httpFetch('http://127.0.0.1:1')('key', 10), { code: 'unavailable' });
});

test('finds the ledger of a service, else files, also where a bucket says 403 for what is not there', async (t) => {
  assert.equal((await findLedger(base)).isStatic, false);
  const asked: string[] = [];
  const files = createServer(async (request, response) => {
    const path = (request.url ?? '').slice('/public/'.length);
    asked.push(path);
    const bytes = /^(checkpoint|key|tile\/)/.test(path) ? await log.fetch(path, 0) : undefined;
    return bytes === undefined ? response.writeHead(403).end('<Error/>') : response.writeHead(200).end(bytes);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    files.closeAllConnections();
    files.close();
  });
  const site = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const { fetch, isStatic } = await findLedger(`${site}/public`);
  assert.equal(isStatic, true);
  const verdict = await verifyLedger({ fetch });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.size, verdict.tables], [600, 'not served']);
  assert.ok(asked.includes('api/ledger/checkpoint') && asked.includes('tile/entries/002.p/88'));
  assert.equal((await findLedger(`${site}/elsewhere`)).isStatic, false);
  assert.equal((await findLedger('http://127.0.0.1:1')).isStatic, false);
});

test('asks again when a service is asked for too much or cannot read its store, and gives up in the end', async () => {
  const fetch = httpFetch(base);
  for (const path of ['busy', 'restarting']) {
    assert.equal(String(await fetch(path, 10)), 'free');
    assert.equal(asked[path], 3);
  }
  await assert.rejects(fetch('full', 10), { code: 'unavailable', message: /status 429/ });
  await assert.rejects(fetch('down', 10), { code: 'unavailable', message: /status 503/ });
});
