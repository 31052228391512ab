// The site as a visitor whose browser runs no scripts sees it.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { faultsOf } from '../../src/domain/text/voice.ts';
import { assets } from '../../src/web/site/assets.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import {
  assertSafePage,
  browserHeaders,
  getPage,
  hostileCity,
  hostileMarkup,
  linksOf,
} from '../support/services/pages.ts';
import { startService } from '../support/services/service.ts';

const { url, service, store, clock } = await startService(
  { after: after as TestContext['after'] },
  { registry: hostileCity() },
);
const base = service.baseUrl;
const [pocket] = service.registry.pockets;
const [outlet] = service.registry.outlets;
assert.ok(pocket && outlet);
const active = service.registry.outlets.filter((one) => one.active);

const sent = (await post(`${url}/api/benchmark/submit`, submission({ submitter_name: hostileMarkup }))).json<{
  submission_id: string;
}>();
// The benchmark page shows only scored submissions.
await store.transaction(async (tx) => {
  const row = await tx.get<{ leaf: number }>('select leaf from submissions');
  await tx.insert('submission_scores', [
    {
      submission_leaf: row?.leaf ?? -1,
      scored_at: clock.now,
      scored_count: 9,
      accuracy: 0.5,
      silence_correctness: 0.5,
      calibration_error: 0.25,
      gap_vs_service: -0.1,
      gap_vs_naive: 0.1,
    },
  ]);
});
await service.dataVersion.refresh();

const sitemap = (await ask(`${url}/sitemap.xml`)).text;
const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc = '']) => loc.slice(base.length));

/** The pages whose address has no variable part, as OpenAPI describes them. */
async function fixedPages(): Promise<string[]> {
  type Endpoint = { get?: { responses: Record<string, { content?: object }> } };
  const { paths } = (await ask(`${url}/openapi.json`)).json<{ paths: Record<string, Endpoint> }>();
  return Object.entries(paths).flatMap(([path, { get }]) =>
    !path.includes('{') && get && 'text/html' in (get.responses[200]?.content ?? {}) ? [path] : [],
  );
}

describe('the sitemap', () => {
  test('lists every page once, with when and how often it changes', async () => {
    const { outlets, pockets } = service.registry;
    assert.equal(listed.length, new Set(listed).size);
    assert.deepEqual(
      listed.filter((path) => !/^\/(?:pocket|outlet)\//.test(path)).sort(),
      (await fixedPages()).filter((path) => path !== '/reports/restraint').sort(),
    );
    assert.equal(
      listed.filter((path) => /^\/(?:pocket|outlet)\//.test(path)).length,
      pockets.length + 4 * pockets.length + outlets.length,
    );
    assert.ok(listed.length >= 135 && listed.length <= 150, `${listed.length}`);
    const entries = [...sitemap.matchAll(/<url>(.*?)<\/url>/g)].map(([, entry = '']) => entry);
    for (const entry of entries) {
      assert.match(
        entry,
        /^<loc>[^<]+<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod><changefreq>(?:always|hourly|daily|weekly|monthly)<\/changefreq><priority>(?:0\.\d|1\.0)<\/priority>$/,
      );
    }
    assert.match(entries[0] ?? '', /<lastmod>2026-11-11T04:00:00\.000Z</);
  });

  test('is listed in robots.txt; llms.txt describes the site', async () => {
    assert.match((await ask(`${url}/robots.txt`)).text, new RegExp(`^Sitemap: ${base}/sitemap.xml$`, 'm'));
    const { text } = await ask(`${url}/llms.txt`);
    assert.match(text, /^# pocketwatch\n/);
    for (const { id } of service.registry.pockets) assert.ok(text.includes(`${base}/pocket/${id})`));
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
      assert.equal((await ask(url + link.slice(base.length))).status, 200, link);
    }
  });
});

describe('a crawl from the first page', async () => {
  /** How many addresses that differ only in their id are fetched. */
  const MOST_OF_A_KIND = 15;
  const kindOf = (path: string) =>
    path.replace(/^(\/(?:api\/)?(?:ledger|explanations)(?:\/(?:proof|entry))?\/).+$/, '$1');
  const pages = new Map<string, Awaited<ReturnType<typeof getPage>>>();
  const tried = new Map<string, number>();
  const fragments: [from: string, to: string][] = [];
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue;
    const kind = kindOf(path);
    const before = tried.get(kind) ?? 0;
    if (kind !== path && before >= MOST_OF_A_KIND) continue;
    tried.set(kind, before + 1);
    const reply = await getPage(url + path);
    pages.set(path, reply);
    if (!/html/.test(String(reply.headers['content-type']))) continue;
    for (const link of linksOf(reply.text, base + path)) {
      const [target = '', fragment] = link.split('#');
      if (fragment) fragments.push([path, link]);
      if (!pages.has(target)) waiting.push(target);
    }
  }
  const html = [...pages].filter(([, { headers }]) => /html/.test(String(headers['content-type'])));

  test('finds no dead link', () => {
    for (const [path, { status }] of pages) assert.equal(status, 200, path);
  });

  test('reaches every page of the sitemap', () => {
    assert.deepEqual(
      listed.filter((path) => !pages.has(path)),
      [],
    );
  });

  test('reaches a ledger entry, an explanation, a report and an outlet', () => {
    for (const start of ['/ledger/', '/explanations/', '/reports/weekly/', '/reports/pocket/', '/outlet/'])
      assert.ok(
        [...pages.keys()].some((path) => path.startsWith(start)),
        start,
      );
  });

  test('every fragment that a link names exists', () => {
    for (const [from, to] of fragments) {
      const [path = '', fragment = ''] = to.split('#');
      assert.ok(pages.get(path || from)?.text.includes(`id="${fragment}"`), `${from} → ${to}`);
    }
  });

  test('every page is free of inline code and third-party resources, and names the substrate', () => {
    assert.ok(html.length > 150);
    for (const [path, reply] of html) assertSafePage(path, reply);
  });

  test('every page is under 100 KB with its assets', () => {
    const own = Object.values(assets).reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    for (const [path, { text }] of html) {
      const bytes = Buffer.byteLength(text) + own;
      assert.ok(bytes < 100_000, `${path}: ${bytes}`);
    }
  });

  test('the text of the pages follows the voice rules', () => {
    for (const path of [
      '/',
      `/pocket/holland`,
      '/accuracy',
      '/silence',
      '/trust',
      '/reports',
      '/about',
      '/ledger',
      '/feeds',
    ]) {
      const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(pages.get(path)?.text ?? '') ?? [];
      const text = main.replace(/<[^>]+>/g, ' ');
      // Names have capitals; every other voice rule applies.
      const faults = faultsOf(text).filter((fault) => fault !== 'is not lowercase');
      assert.deepEqual(faults, [], path);
    }
  });
});

describe('text from outside', () => {
  const shown = '&lt;img src=x onerror=&quot;alert(1)&quot;&gt;';
  const cases: [what: string, path: string][] = [
    ['a submitter, on the board', '/benchmark'],
    ['a submitter, in the ledger', `/ledger/${sent.submission_id}`],
    ['an outlet', `/outlet/${outlet.id}`],
    ['a pocket and its alias', `/pocket/${pocket.id}`],
    ['a pocket, on the network', '/'],
  ];
  for (const [what, path] of cases) {
    test(`${what}: shown escaped, never as markup`, async () => {
      const reply = await getPage(url + path);
      assert.equal(reply.status, 200);
      assert.ok(reply.text.includes(shown), path);
      assertSafePage(path, reply);
    });
  }

  test('an unknown address is echoed escaped', async () => {
    const odd = encodeURIComponent('<script>alert(2)</script>');
    for (const path of [
      `/pocket/${odd}`,
      `/explanations/${odd}`,
      `/ledger/${odd}`,
      `/outlet/${odd}`,
      `/pocket/holland/intent/${odd}`,
      `/reports/weekly/holland/${odd}`,
      `/${odd}`,
    ]) {
      const reply = await getPage(url + path);
      assert.ok([400, 404].includes(reply.status), `${path}: ${reply.status}`);
      assertSafePage(path, reply);
    }
    const unsorted = await getPage(`${url}/?sort=${odd}`);
    assert.equal(unsorted.status, 400);
    assertSafePage('/?sort=', unsorted);
  });
});

describe('not found', () => {
  test('is a page for browsers and JSON for other clients', async () => {
    const page = await getPage(`${url}/nowhere`);
    assert.equal(page.status, 404);
    assert.match(page.text, /nothing is here/);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json, text/html;q=0.5' }]) {
      const reply = await ask(`${url}/nowhere`, { headers });
      assert.deepEqual([reply.status, reply.json()], [404, { error: 'no such address' }]);
    }
    const rest = await ask(`${url}/api/atmosphere?pocket=nowhere`, { headers: browserHeaders });
    assert.equal(rest.json().error, 'unknown pocket: nowhere');
  });

  test('an intent without a public page, and a report that does not exist', async () => {
    for (const path of [
      '/pocket/holland/intent/calm-work',
      '/reports/weekly/holland/2020-W01',
      '/reports/restraint/2020-01',
      '/reports/pocket/holland/2020-01',
    ]) {
      assert.equal((await getPage(url + path)).status, 404, path);
    }
  });
});

test('an internal error is a page without internal details', async (t) => {
  const broken = await startService(t, { days: 0 });
  broken.service.store.all = () => Promise.reject(new Error('secret'));
  broken.service.store.get = () => Promise.reject(new Error('secret'));
  const reply = await getPage(`${broken.url}/`);
  assert.equal(reply.status, 500);
  assert.doesNotMatch(reply.text, /secret/);
  assertSafePage('/', reply);
  const none = await startService(t, { place: 'none' });
  const away = await getPage(`${none.url}/pocket/holland`);
  assert.equal(away.status, 503);
  assertSafePage('/pocket/holland', away);
  assert.equal((await getPage(`${none.url}/about`)).status, 200);
});

test('pages over an empty store are served and say that nothing is known', async (t) => {
  const { url } = await startService(t, { days: 0 });
  for (const path of [
    '/',
    '/pocket/holland',
    '/accuracy',
    '/silence',
    '/trust',
    '/benchmark',
    '/ledger',
    '/feeds',
    '/reports',
    '/docs',
    '/docs/api/predictions',
    '/reports/restraint',
    '/reports/weekly/holland',
    '/reports/pocket/holland',
    '/pocket/holland/intent/quiet-now',
    `/outlet/${service.registry.outlets[1]?.id}`,
  ]) {
    const reply = await getPage(url + path);
    assert.equal(reply.status, 200, path);
    assertSafePage(path, reply);
  }
});

test('an outlet is found by part of its name or a misspelt one, without a script', async () => {
  const search = async (query: string) => (await getPage(`${url}/outlets?${query}`)).text;
  const papaya = service.registry.outlets.find(({ name }) => name === 'Slow Papaya') ?? assert.fail();
  for (const query of ['q=PAPAYA', 'q=slwo+papya', 'q=papaya&pocket=tiongbahru&category=dessert']) {
    const text = await search(query);
    assert.ok(text.includes(`href="/outlet/${papaya.id}"`), query);
    assert.match(text, /1 outlet\b/);
  }
  assert.match(await search('q=slwo+papya'), /No name contains “slwo papya”\. 1 outlet has a similar name/);
  for (const query of ['q=papaya&pocket=holland', 'q=%25', 'pocket=atlantis'])
    assert.match(await search(query), /No outlet matches/);
  assert.match(await search('q=&pocket=&category='), new RegExp(`${active.length} outlets\\.`));
  assert.match(await search('page=2'), /past the end of the list/);
  assert.equal((await getPage(`${url}/outlets?category=pub`)).status, 400);
});

test('the backtest of an outlet states its range, its assumptions and that nobody was notified', async () => {
  const [own] = active;
  const { status, text } = await getPage(`${url}/outlet/${own?.id}/backtest?days=7`);
  assert.equal(status, 200);
  assert.match(text, /nobody was notified/);
  assert.match(text, /\(2% to 8%\) is assumed, not observed/);
  assert.match(text, /<option value="7" selected>/);
  for (const path of ['nowhere/backtest', `${own?.id}/backtest?days=91`])
    assert.ok([400, 404].includes((await getPage(`${url}/outlet/${path}`)).status), path);
});

test('the list of pockets can be sorted without a script', async () => {
  const figures = async (sort: string, pattern: RegExp) =>
    [...(await getPage(`${url}/?sort=${sort}`)).text.matchAll(pattern)].map(([, figure = '']) =>
      Number(figure),
    );
  const calm = await figures('calm', /class="calm">.*?<b>([\d.]+)<\/b>/gs);
  assert.equal(calm.length, 18);
  assert.deepEqual(
    calm,
    calm.toSorted((a, b) => b - a),
  );
  assert.match(
    (await getPage(`${url}/?sort=calm`)).text,
    /aria-sort="descending"><a href="\/\?sort=calm#pockets">calm/,
  );
});

test('a page may be cached until the next reading, and an asset for a year', async () => {
  const first = await getPage(`${url}/pocket/holland`);
  assert.match(String(first.headers['cache-control']), /^public, max-age=\d+$/);
  const again = await ask(`${url}/pocket/holland`, {
    headers: { ...browserHeaders, 'if-none-match': String(first.headers.etag) },
  });
  assert.deepEqual([again.status, again.text], [304, '']);
  for (const { address, type } of Object.values(assets)) {
    const { status, headers } = await ask(url + address);
    assert.deepEqual([status, headers['content-type']], [200, type]);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  }
});

test('the command on the benchmark page works as shown', async (t) => {
  const { text } = await getPage(`${url}/benchmark`);
  const [, command = ''] = /<pre[^>]*>(start=.*?)<\/pre>/s.exec(text) ?? [];
  const plain = command
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(base, url);
  const run = promisify(execFile);
  if (
    await run('curl', ['--version']).then(
      () => false,
      () => true,
    )
  )
    return t.skip('no curl');
  clock.now = Date.now();
  const { stdout } = await run('sh', ['-c', plain]);
  assert.equal(JSON.parse(stdout).status, 'queued_for_scoring');
});

test('pages with accuracy say how many forecasts were sealed before their outcome', async () => {
  for (const path of ['/accuracy', '/trust', '/benchmark']) {
    const { text } = await ask(`${url}${path}`);
    assert.match(text, /[\d,]+ scored, none sealed before its outcome: all were written afterwards/, path);
  }
});
