// No answer names an outlet, except the directory and an answer about one outlet that was asked for by its id: what tells
// how an outlet is doing never carries its id or name.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { Registry } from '../../../src/domain/city/city.ts';
import { HOUR } from '../../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { listOutlets } from '../../../src/operations/merchant/list-outlets.ts';
import { toolTable } from '../../support/answers/tool-table.ts';
import { smallCity } from '../../support/pipeline/small-city.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, startService } from '../../support/services/service.ts';

/** Names and units that cannot occur in a text by chance. */
function unmistakable({ outlets, ...rest }: Registry): Registry {
  return {
    ...rest,
    outlets: outlets.map((outlet, n) => ({
      ...outlet,
      name: `Zyxqvil ${100 + n} Wuffolk`,
      unit: `#77-${1000 + n}`,
    })),
  };
}
/** Few pockets, since each answers alike; those that samples of arguments name. */
const registry = unmistakable(smallCity(['dempsey', 'holland', 'tiongbahru']));
const { url, service, clock } = await startService(
  { after: after as TestContext['after'] },
  { days: 1, registry },
);
const identifying = registry.outlets.flatMap(({ id, name, unit }) => [id, name.toLowerCase(), unit]);

/** Operations about one outlet, which may name it, and the directory. */
const named = new Set(['get_observed_outlet', 'get_observed_patterns', 'list_outlets']);

function assertUnnamed(text: string, what: string): void {
  const lower = text.toLowerCase();
  for (const word of identifying) assert.ok(!lower.includes(word), `${what} has ${word}`);
  assert.ok(!lower.includes('zyxqvil'), what);
}

const pockets = registry.pockets.map(({ id }) => id);
const outlets = registry.outlets.map(({ id }) => id);

test('no tool names an outlet, whichever pocket or outlet it is asked about', async () => {
  for (const [name, sample] of Object.entries(toolTable)) {
    if (named.has(name)) continue;
    const args = Object.fromEntries(
      Object.entries(sample).flatMap(([key, { required, sample: value }]) =>
        required ? [[key, value]] : [],
      ),
    );
    const questions =
      'outlet_id' in args
        ? outlets.map((outlet_id) => ({ ...args, outlet_id }))
        : 'pocket_id' in args
          ? pockets.map((pocket_id) => ({ ...args, pocket_id }))
          : [args];
    for (const given of questions) {
      const text = JSON.stringify(await callTool(url, name, given));
      const asked = 'outlet_id' in given ? String(given.outlet_id) : '-';
      // For an outlet that is unknown or inactive the answer repeats the id, and nothing else.
      const own = text.includes('outlet not found or inactive.') ? text.replaceAll(asked, '') : text;
      assertUnnamed(own, `${name} ${JSON.stringify(given)}`);
    }
  }
});

test('no REST address names an outlet', async () => {
  const gets = service.operations.filter(
    ({ rest, name }) => rest && rest.method !== 'POST' && !named.has(name),
  );
  for (const { rest, input } of gets) {
    if (!rest || rest.path.includes(':')) continue;
    const naming = (key: string) => rest.names?.[key] ?? key;
    const taken = new Set(Object.keys(input.properties).map(naming));
    const asked = new Set<string>();
    const aboutOutlet = 'outlet_id' in input.properties;
    for (const [n, pocket] of (aboutOutlet ? outlets : pockets).entries()) {
      const known = {
        [naming('pocket_id')]: aboutOutlet ? (registry.outlets[n]?.pocket_id ?? '') : pocket,
        a: pocket,
        b: 'dempsey',
        query: 'holland',
        slug: 'quiet-now',
        month: '2026-10',
        ...(aboutOutlet && { [naming('outlet_id')]: pocket }),
      };
      const given = String(new URLSearchParams(Object.entries(known).filter(([name]) => taken.has(name))));
      // What takes neither a pocket nor an outlet is asked once.
      if (asked.has(given)) continue;
      asked.add(given);
      const reply = await ask(`${url}${rest.path}?${given}`);
      const unreadable = aboutOutlet && reply.status === 404;
      // A 404 gives back the id that was sent, and nothing else.
      assertUnnamed(unreadable ? reply.text.replaceAll(pocket, '') : reply.text, `${rest.path} ${given}`);
      assert.ok(reply.status === 200 || reply.status === 404, `${rest.path} ${given} ${reply.status}`);
    }
  }
});

test('no page names an outlet, except its own page and the directory', async () => {
  const sitemap = (await ask(`${url}/sitemap.xml`)).text;
  const addresses = [...sitemap.matchAll(/<loc>http:\/\/pocketwatch\.test([^<]*)<\/loc>/g)].map(
    ([, path]) => path || '/',
  );
  const pages = addresses.filter((path) => !/^\/outlets?(\/|$)/.test(path));
  assert.ok(pages.length > 5 * pockets.length && pages.length < addresses.length);
  for (const path of pages) {
    const { status, text } = await ask(`${url}${path}`, { headers: { accept: 'text/html' } });
    assert.equal(status, 200, path);
    assertUnnamed(text, path);
  }
});

test('the directory has what stands on the outlets own pages, and nothing else', async () => {
  const active = registry.outlets.filter((outlet) => outlet.active);
  const { _meta, ...body } = (await ask(`${url}/api/outlets`)).json<
    AnswerOf<typeof listOutlets> & { _meta: object }
  >();
  assert.equal(body.count, active.length);
  const byId = new Map(active.map((outlet) => [outlet.id, outlet]));
  for (const { url: page, ...shown } of body.outlets) {
    const outlet = byId.get(shown.id) ?? assert.fail(shown.id);
    const { id, name, pocket_id, unit, opens_at, closes_at, category } = outlet;
    assert.deepEqual(shown, { id, name, pocket_id, unit, opens_at, closes_at, category });
    const own = await ask(page.replace('http://pocketwatch.test', url));
    for (const word of [name, unit, opens_at, closes_at, category])
      assert.ok(own.text.toLowerCase().includes(word.toLowerCase()), `${page} ${word}`);
  }
  // The same at any hour: nothing in it depends on the store.
  clock.now += 11 * HOUR;
  const later = (await ask(`${url}/api/outlets`)).json<AnswerOf<typeof listOutlets>>();
  assert.deepEqual(later.outlets, body.outlets);
  const page = (await ask(`${url}/outlets`)).text;
  for (const { id, name, active } of registry.outlets) {
    assert.equal(page.includes(name), active, name);
    assert.equal(page.includes(id), active, id);
  }
});

test('an answer about one outlet names it', async () => {
  const [first] = registry.outlets.filter(({ active }) => active);
  const { structuredContent } = await callTool(url, 'get_observed_outlet', { outlet_id: first?.id });
  assert.ok(JSON.stringify(structuredContent).includes(first?.name ?? '?'));
  assert.ok((await ask(`${url}/outlet/${first?.id}`)).text.includes(first?.name ?? '?'));
});
