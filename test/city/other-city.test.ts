// Cities with another currency and clock and no outlets: every page and address answers, and nothing is of Singapore.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import type { Registry } from '../../src/domain/city/city.ts';
import { pocketSignalKinds } from '../../src/domain/signals/signal.ts';
import { operations } from '../../src/operations/all.ts';
import { callableTools } from '../../src/operations/core/define.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { argumentsFor } from '../support/answers/operation-answers.ts';
import { ask } from '../support/services/http-client.ts';
import { callTool, NOON, startService } from '../support/services/service.ts';

/** Names of fields apart, such as saving_sgd. */
const OF_SINGAPORE = /\bSGD\b|\bSGT\b|\bSingapore|(?<![a-z])sgt\b|\bsgd\b/;

/** The city with its first pockets: each of them is answered for alike. */
const simulated = (registry: Registry): Registry => ({
  ...registry,
  city: { ...registry.city, substrate: 'simulated', scales: 'fixed' },
  pockets: registry.pockets.slice(0, 3).map((pocket) => ({ ...pocket, expects: [...pocketSignalKinds] })),
});

/** The values of all fields with such a name, at any depth. */
const collectValues = (body: unknown, isMeant: (name: string) => boolean): unknown[] =>
  typeof body !== 'object' || body === null
    ? []
    : Object.entries(body).flatMap(([name, value]) => [
        ...(isMeant(name) ? [value] : []),
        ...collectValues(value, isMeant),
      ]);

for (const { city, pocket, currency, name, licence } of [
  {
    city: 'muenster',
    pocket: 'domplatz',
    currency: 'EUR',
    name: 'Münster',
    licence: 'https://www.govdata.de/dl-de/by-2-0',
  },
  {
    city: 'melbourne',
    pocket: 'bourke-street',
    currency: 'AUD',
    name: 'Melbourne',
    licence: 'https://creativecommons.org/licenses/by/4.0/',
  },
])
  describe(name, async () => {
    // Its signals are simulated here: this is about what answers say, not about feeds.
    const registry = simulated(loadRegistry(cityDir(city)));
    const { url, service, store } = await startService(
      { after: after as TestContext['after'] },
      { registry },
    );
    await store.transaction((tx) =>
      tx.insert('sustainability_events', [
        {
          ...{ id: 'a', slot: NOON, pocket_id: pocket, outlet_id: null, kind: 'attention_saved' },
          ...{ magnitude: 8, value_cents: 1250, evidence: '{}' },
        },
      ]),
    );
    await service.dataVersion.refresh();

    const check = (text: string, where: string): unknown => {
      assert.doesNotMatch(text, OF_SINGAPORE, where);
      const body: unknown = JSON.parse(text);
      for (const value of collectValues(body, (field) => field.endsWith('_sgd')))
        assert.equal(value, null, where);
      return body;
    };

    test('every address answers, with amounts in its currency', async () => {
      const currencies = new Set<unknown>();
      for (const { rest } of operations) {
        if (!rest || rest.method === 'POST') continue;
        const path = rest.path.replace(/:\w+/, pocket);
        const reply = await ask(`${url}${path}?pocket=${pocket}&since=all&month=2026-11`);
        const plain = reply.status === 400 ? await ask(`${url}${path}?pocket=${pocket}`) : reply;
        const { status, text } = plain.status === 400 ? await ask(`${url}${path}`) : plain;
        assert.ok(status < 500, `${path} ${status} ${text}`);
        for (const value of collectValues(check(text, path), (field) => field === 'currency'))
          currencies.add(value);
      }
      assert.deepEqual([...currencies], [currency]);
    });

    test('every tool that reads answers', async () => {
      for (const tool of callableTools(operations)) {
        if (tool.effect === 'append') continue;
        const given = argumentsFor(tool, service);
        const result = await callTool(url, tool.name, {
          ...given,
          ...('pocket_id' in given && { pocket_id: pocket }),
        });
        check(JSON.stringify(result), tool.name);
      }
    });

    test('every page is shown, and names the city', async () => {
      const sitemap = (await ask(`${url}/sitemap.xml`)).text;
      const pages = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) =>
        loc.slice(service.baseUrl.length),
      );
      assert.ok(pages.includes(`/pocket/${pocket}`));
      // The docs name fields such as dollar_value_sgd, and when they are null.
      const shown = pages.filter((path) => path !== '/docs');
      for (const page of [...shown, '/llms.txt', '/stream.rss', '/forecasts.rss', '/feed.json']) {
        const { status, text } = await ask(`${url}${page}`);
        assert.equal(status, 200, page);
        assert.doesNotMatch(text, OF_SINGAPORE, page);
      }
      assert.ok((await ask(`${url}/about`)).text.includes(`href="${licence}"`));
      assert.match((await ask(`${url}/`)).text, new RegExp(`Where it is calm in ${name}`));
      assert.match(
        (await ask(`${url}/stream.rss?since=all&type=sustainability`)).text,
        new RegExp(`about ${currency} 12\\.50, (observed|inferred)\\.`),
      );
    });
  });
