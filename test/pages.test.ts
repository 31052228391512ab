// What the service publishes an address for is a page that a person can read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from './support/service.ts';

test('a live address and a permalink are pages, and others’ text stands escaped in them', async (t) => {
  const { url } = await startService(t);
  const { items } = (await (await fetch(`${url}/api/explanations?since=24h`)).json()) as {
    items: { permalink: string; pocket_id: string }[];
  };
  assert.ok(items.length > 10);
  const paths = [
    '/pocket/holland',
    ...items.slice(0, 10).map(({ permalink }) => new URL(permalink).pathname),
  ];
  for (const path of paths) {
    const response = await fetch(url + path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', /text\/html/);
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const page = await response.text();
    assert.match(page, /substrate: simulated/);
    assert.doesNotMatch(page, /undefined|\[object|NaN/, path);
  }
  assert.equal((await fetch(`${url}/pocket/%3Cscript%3E`)).status, 404);
  assert.equal((await fetch(`${url}/explanations/silence:none`)).status, 404);
});
