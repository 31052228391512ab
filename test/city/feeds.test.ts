// A city with feeds over HTTP: attribution in every answer, the page of its feeds, and the bytes behind a reading.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import { parkingBytes, SECRET, townRegistry, writeTown } from '../support/rows/feeds.ts';
import { ask } from '../support/services/http-client.ts';
import { assertSafePage, getPage } from '../support/services/pages.ts';
import { callTool, NOON, startService } from '../support/services/service.ts';

const settings = { registry: townRegistry(), days: 0 };
const { url, store, service } = await startService({ after: after as TestContext['after'] }, settings);
await writeTown(store, NOON);
await service.dataVersion.refresh();

const attribution = ['Car parks of The Town, read on 2026-11-11', 'Counters of The Town'];
const bodyPath = `/api/feeds/bodies/${createHash('sha256').update(parkingBytes).digest('hex')}`;

test('answers carry the texts that the publishers ask for, over REST and MCP', async () => {
  for (const path of ['/api/feeds', '/api/atmosphere?pocket=domplatz', '/api/provenance?pocket=domplatz']) {
    const { _meta } = (await ask(url + path)).json<{ _meta: { attribution?: string[] } }>();
    assert.deepEqual(_meta.attribution, attribution, path);
  }
  const { _meta } = await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'domplatz' });
  assert.deepEqual(_meta.attribution, attribution);
});

test('the page shows each feed, what is wrong with it and whose it is', async () => {
  const page = await getPage(`${url}/feeds`);
  assert.equal(page.status, 200);
  assertSafePage('/feeds', page);
  for (const words of [
    '9 failures in a row; the answer has status 500; left alone for a while',
    'Rows left out: stale 2',
    '2 of 10 in 3600 s',
    'Counters of The Town',
    '25 Nov 2026',
  ])
    assert.ok(page.text.includes(words), words);
});

test('provenance leads to the very bytes, which a browser saves and does not show', async () => {
  const { text } = await ask(`${url}/api/provenance?pocket=domplatz`);
  assert.ok(text.includes(`${service.baseUrl}${bodyPath}`));
  const reply = await ask(url + bodyPath);
  assert.equal(reply.status, 200);
  assert.equal(reply.text, parkingBytes.toString());
  assert.equal(reply.headers['content-type'], 'application/octet-stream');
  assert.match(reply.headers['content-disposition'] ?? '', /^attachment; filename="[0-9a-f]{64}"$/);
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  for (const other of ['0'.repeat(64), 'x', '%2e%2e', bodyPath.slice(-64).toUpperCase()])
    assert.equal((await ask(`${url}/api/feeds/bodies/${other}`)).status, 404, other);
});

test('no answer shows a key or the name of one', async () => {
  const paths = [
    '/api/feeds',
    '/feeds',
    '/api/provenance?pocket=domplatz',
    '/api/heartbeat',
    bodyPath,
    '/about',
  ];
  for (const path of paths) {
    const { text, headers } = await ask(url + path);
    assert.doesNotMatch(
      text + JSON.stringify(headers),
      new RegExp(`${SECRET}|FEED_KEY_TOWN|x-town-key`),
      path,
    );
  }
});
