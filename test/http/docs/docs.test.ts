// The pages of /docs as a visitor whose browser runs no scripts sees them.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { documentedAddresses } from '../../../src/web/pages/docs/api-document.ts';
import { ask, post } from '../../support/services/http-client.ts';
import { assertSafePage, decodeMarkup as decode, getPage } from '../../support/services/pages.ts';
import { startService } from '../../support/services/service.ts';

const { url, service } = await startService(
  { after: after as TestContext['after'] },
  { readLimit: 6000, mcpLimit: 30 },
);
const addresses = documentedAddresses((await ask(`${url}/openapi.json`)).json());
const openPage = async (path: string) => {
  const reply = await getPage(url + path);
  assert.equal(reply.status, 200, path);
  return reply.text;
};
const answerIn = (page: string) =>
  JSON.parse(decode(/<pre class="reply"[^>]*>(.*?)<\/pre>/s.exec(page)?.[1] ?? ''));

describe('the index', () => {
  // The crawl of test/http/pages/pages.test.ts then asks for each of them.
  test('links to a page of every address', async () => {
    const index = await openPage('/docs');
    assert.ok(addresses.length > service.operations.filter(({ rest }) => rest).length);
    for (const { docsPath } of addresses) assert.ok(index.includes(`href="${docsPath}"`), docsPath);
  });

  test('finds addresses by the fields of their answers, without a script', async () => {
    const page = await openPage('/docs?q=movement_friction');
    assert.match(page, /<a href="\/docs\/api\/moment">/);
    assert.match(page, /<code>movement_friction<\/code>/);
    assert.doesNotMatch(page, /<a href="\/docs\/api\/ledger\/key">/);
    assert.match(page, /name="q" value="movement_friction"/);
  });

  test('shows what was searched for as text, and says that nothing was found', async () => {
    const hostile = '"><script>alert(1)</script>';
    const reply = await getPage(`${url}/docs?q=${encodeURIComponent(hostile)}`);
    assertSafePage('/docs?q=', reply);
    assert.match(reply.text, /0 addresses and 0 tools/);
    assert.equal((await getPage(`${url}/docs?q=a&q=b`)).status, 200);
  });
});

describe('the page of an address', () => {
  test('explains it: parameters, form, command, fields, errors and limits', async () => {
    const page = await openPage('/docs/api/atmosphere');
    const text = decode(page);
    for (const heading of ['Parameters', 'Try it', 'A real answer', 'Fields', 'Errors', 'Limits'])
      assert.match(page, new RegExp(`<h2 id="\\w+">${heading}</h2>`));
    assert.match(text, /hours number, 1 to 24\s*hours to look backdefault 4 · example 4/);
    assert.match(page, /<form class="try" id="form" method="get" action="\/api\/atmosphere"/);
    assert.match(page, /<input type="number" step="any" min="1" max="24" name="hours"/);
    assert.ok(text.includes(`curl -s '${service.baseUrl}/api/atmosphere?pocket=buonavista'`));
    assert.match(text, /latest\.calm number, 0 to 1\s*level of calm, 0 to 1/);
    assert.match(text, /404\s*no such pocket, outlet or id/);
    assert.match(text, /6000 units of reading a minute/);
    assert.match(page, /<a href="\/docs#get_pocket_atmosphere">/);
    assert.match(
      decode(await openPage('/docs/api/composed-narrative')),
      /30 requests a minute .* shared with MCP/,
    );
  });

  test('shows what the address answers now, shortened as it says', async () => {
    const page = await openPage('/docs/api/pocket-day');
    const own = (await ask(`${url}/api/pocket-day?pocket=buonavista`)).json<{ readings: object[] }>();
    assert.ok(own.readings.length > 2);
    const shown = answerIn(page);
    assert.deepEqual(shown.readings, own.readings.slice(0, 2));
    assert.ok(
      decode(page).includes(
        `Lists are cut to 2 rows and texts to 160 characters: readings: 2 of ${own.readings.length}`,
      ),
    );
  });

  test('does not ask about something that does not exist yet, unless the visitor names it', async () => {
    const page = await openPage('/docs/api/benchmark/scores/id');
    assert.match(page, /Not asked here: nothing was found/);
    const named = await openPage('/docs/api/benchmark/scores/id?id=none');
    assert.match(named, /answered <strong>404<\/strong>/);
    assert.match(answerIn(named).error, /submission/);
  });

  test('asks about something that exists, or about what the visitor names', async () => {
    const page = await openPage('/docs/api/ledger/entry/id');
    const { entries } = (await ask(`${url}/api/ledger/entries?limit=9`)).json<{
      entries: { id: string }[];
    }>();
    assert.equal(answerIn(page).id, entries[0]?.id);
    assert.match(page, /<form class="try" id="form" method="get" action="\/docs\/api\/ledger\/entry\/id"/);
    const other = entries[5]?.id ?? '';
    const named = await openPage(`/docs/api/ledger/entry/id?id=${encodeURIComponent(other)}`);
    assert.equal(answerIn(named).id, other);
    assert.ok(decode(named).includes(`/api/ledger/entry/${encodeURIComponent(other)}`));
  });

  test('asks a POST that only reads, and never one that writes', async () => {
    assert.ok(answerIn(await openPage('/docs/api/legitimacy')).legitimacy_score >= 0);
    const size = async () => (await ask(`${url}/api/ledger/history`)).json<{ tree_size: number }>().tree_size;
    const before = await size();
    const page = await openPage('/docs/api/benchmark/submit');
    assert.match(page, /Not asked here, since it would write/);
    assert.doesNotMatch(page, /<form class="try"/);
    assert.equal(await size(), before);
    const [, body = ''] = /-d '(\{.*\})'/.exec(decode(page)) ?? [];
    assert.equal((await post(`${url}/api/benchmark/submit`, body)).status, 200);
  });

  test('offers the rows as a table where there is one', async () => {
    const page = await openPage('/docs/api/predictions');
    assert.match(page, /<a href="\/api\/predictions\?format=csv"/);
    assert.doesNotMatch(await openPage('/docs/api/moment'), /As a table/);
  });

  test('has no slash at its end', async () => {
    for (const [given, to] of [
      ['/docs/', '/docs'],
      ['/docs/api/moment//?a=1', '/docs/api/moment?a=1'],
    ] as const) {
      const { status, headers } = await ask(url + given);
      assert.deepEqual([status, headers.location], [308, to]);
    }
  });

  test('does not exist for other addresses', async () => {
    for (const path of ['/docs/none', '/docs/about', '/docs/api', '/docs/assets/style.css'])
      assert.equal((await getPage(url + path)).status, 404, path);
  });
});

test('the requests of a page count for its visitor', async (t) => {
  const limited = await startService(t, { days: 0, readLimit: 4 });
  const docs = `${limited.url}/docs/api/moment`;
  assert.match((await getPage(docs)).text, /answered <strong>200<\/strong>/);
  // Two units are spent, and a little for the bytes. The page takes one, and too little is left for its request.
  const second = await getPage(`${docs}?again`);
  assert.match(second.text, /answered <strong>429<\/strong>/);
  assert.equal(second.headers['cache-control'], 'no-cache');
  assert.equal((await getPage(`${docs}?more`)).status, 429);
});

test('without a datastore the pages are still served, and show that answer', async (t) => {
  const bare = await startService(t, { place: 'none' });
  const page = (await getPage(`${bare.url}/docs/api/moment`)).text;
  assert.match(page, /answered <strong>503<\/strong>/);
  const ofId = (await getPage(`${bare.url}/docs/api/explanations/id`)).text;
  assert.match(ofId, /Not asked here: nothing was found/);
  assert.equal((await getPage(`${bare.url}/docs`)).status, 200);
});
