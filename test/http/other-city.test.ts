// A city with another currency and no outlets: every page and every address answers, and nothing is said in SGD.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { operations } from '../../src/operations/all.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { ask } from '../support/services/http-client.ts';
import { NOON, startService } from '../support/services/service.ts';

// Its signals are simulated here: this is about what answers say, not about feeds.
const registry = loadRegistry(cityDir('muenster'));
const { url, service, store } = await startService({ after: after as TestContext['after'] }, { registry });
await store.transaction((tx) =>
  tx.insert('sustainability_events', [
    {
      ...{ id: 'a', slot: NOON, pocket_id: 'domplatz', outlet_id: null, kind: 'attention_saved' },
      ...{ magnitude: 8, value_cents: 1250, evidence: '{}' },
    },
  ]),
);
await service.dataVersion.refresh();

/** The values of all fields with such a name, at any depth. */
const valuesOf = (body: unknown, isMeant: (name: string) => boolean): unknown[] =>
  typeof body !== 'object' || body === null
    ? []
    : Object.entries(body).flatMap(([name, value]) => [
        ...(isMeant(name) ? [value] : []),
        ...valuesOf(value, isMeant),
      ]);

test('every address answers, and amounts are in euros', async () => {
  const currencies = new Set<unknown>();
  for (const { rest } of operations) {
    if (!rest || rest.method === 'POST') continue;
    const path = rest.path.replace(/:\w+/, 'domplatz');
    const reply = await ask(`${url}${path}?pocket=domplatz&since=all&month=2026-11`);
    const plain = reply.status === 400 ? await ask(`${url}${path}?pocket=domplatz`) : reply;
    const { status, text } = plain.status === 400 ? await ask(`${url}${path}`) : plain;
    assert.ok(status < 500, `${path} ${status} ${text}`);
    assert.doesNotMatch(text, /\bSGD\b/, path);
    const body: unknown = JSON.parse(text);
    for (const value of valuesOf(body, (name) => name.endsWith('_sgd'))) assert.equal(value, null, path);
    for (const value of valuesOf(body, (name) => name === 'currency')) currencies.add(value);
  }
  assert.deepEqual([...currencies], ['EUR']);
});

test('every page is shown, and names the city', async () => {
  const sitemap = (await ask(`${url}/sitemap.xml`)).text;
  const pages = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) =>
    loc.slice(service.baseUrl.length),
  );
  assert.ok(pages.includes('/pocket/domplatz'));
  // The docs name fields such as dollar_value_sgd, and when they are null.
  for (const page of [
    ...pages.filter((path) => path !== '/docs'),
    '/llms.txt',
    '/stream.rss',
    '/feed.json',
  ]) {
    const { status, text } = await ask(`${url}${page}`);
    assert.equal(status, 200, page);
    assert.doesNotMatch(text, /\bSGD\b/, page);
  }
  assert.match((await ask(`${url}/about`)).text, /href="https:\/\/www\.govdata\.de\/dl-de\/by-2-0"/);
  assert.match((await ask(`${url}/`)).text, /small neighbourhoods of Münster/);
  assert.match((await ask(`${url}/stream.rss?since=all`)).text, /about EUR 12\.50\./);
});
