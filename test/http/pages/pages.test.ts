// The site as a visitor whose browser runs no scripts sees it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { chanceText } from '../../../src/domain/atmosphere/calm-band.ts';
import { voiceFaults } from '../../../src/domain/text/voice.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getNetworkNow } from '../../../src/operations/pocket/get-network-now.ts';
import type { listCalmWindows } from '../../../src/operations/visit/list-calm-windows.ts';
import { decodePng } from '../../../src/web/drawing/png.fixture.ts';
import { parseIcal } from '../../../src/web/share/ical.fixture.ts';
import { assets, styles } from '../../../src/web/site/assets.ts';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import { childElements, childText, type Element, parseXml } from '../../support/answers/xml.ts';
import { submission } from '../../support/rows/benchmark-submission.ts';
import { ask, post } from '../../support/services/http-client.ts';
import {
  assertSafePage,
  browserHeaders,
  bytesWithAssets,
  getPage,
  hostileCity,
  hostileMarkup,
  pageLinks,
} from '../../support/services/pages.ts';
import { startService } from '../../support/services/service.ts';

const { url, service, store, clock } = await startService(
  { after: after as TestContext['after'] },
  { registry: hostileCity(['cluny', 'dempsey', 'frankel', 'holland', 'joochiat', 'siglap', 'tiongbahru']) },
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

/** The pages whose address has no variable part. */
const fixedPages = async (): Promise<string[]> =>
  (await allEndpoints(url)).flatMap(({ path, responses }) =>
    !path.includes('{') && 'text/html' in (responses['200']?.content ?? {}) ? [path] : [],
  );

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
  const pathKind = (path: string) =>
    path
      .replace(/^(\/(?:api\/)?(?:ledger|explanations)(?:\/(?:proof|entry))?[/?]).+$/, '$1')
      .replace(/^(\/pocket\/)[^/]+\/\d{4}-\d\d-\d\d$/, '$1day')
      .replace(/^(\/api\/pocket-)\w+\?.+$/, '$1');
  const pages = new Map<string, Awaited<ReturnType<typeof getPage>>>();
  const tried = new Map<string, number>();
  const fragments: [from: string, to: string][] = [];
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (pages.has(path)) continue;
    const kind = pathKind(path);
    const before = tried.get(kind) ?? 0;
    if (kind !== path && before >= MOST_OF_A_KIND) continue;
    tried.set(kind, before + 1);
    // A table is sent at the pace that leaves the service to others: its head says that the link is not dead.
    const isTable = path.includes('format=csv');
    const reply = isTable
      ? await ask(url + path, { headers: browserHeaders, headOnly: true })
      : await getPage(url + path);
    pages.set(path, reply);
    if (!/html/.test(String(reply.headers['content-type']))) continue;
    for (const link of pageLinks(reply.text, base + path)) {
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
      const target = pages.get(path || from);
      // Of many pages of a kind only the first were fetched.
      if (!target && pathKind(path) !== path) continue;
      assert.ok(target?.text.includes(`id="${fragment}"`), `${from} → ${to}`);
    }
  });

  test('every page is free of inline code and third-party resources, and names the substrate', () => {
    assert.ok(html.length > listed.length);
    for (const [path, reply] of html) assertSafePage(path, reply);
  });

  test('every page is under 100 KB with its assets', () => {
    for (const [path, { text }] of html) {
      const bytes = bytesWithAssets(text);
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
      '/status',
    ]) {
      const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(pages.get(path)?.text ?? '') ?? [];
      const text = main.replace(/<[^>]+>/g, ' ');
      // Names have capitals; every other voice rule applies.
      const faults = voiceFaults(text).filter((fault) => fault !== 'is not lowercase');
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
      `/pocket/holland/${odd}`,
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
    const unsorted = await getPage(`${url}/?order=${odd}`);
    assert.equal(unsorted.status, 400);
    assertSafePage('/?order=', unsorted);
  });
});

describe('not found', () => {
  test('is a page for browsers and JSON for other clients', async () => {
    const page = await getPage(`${url}/nowhere`);
    assert.equal(page.status, 404);
    assert.match(page.text, /Page not found/);
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
      '/pocket/holland/2020-01-01',
      '/pocket/holland/2099-01-01',
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
  const ofCity = (await ask(`${url}/sitemap.xml`)).text.split('<loc>').length - 1;
  assert.ok(ofCity >= 135 && ofCity <= 150, `${ofCity}`);
  for (const path of [
    '/',
    '/?at=15&intent=quiet-now',
    '/compare?pockets=holland,siglap',
    '/pocket/holland',
    '/accuracy',
    '/silence',
    '/trust',
    '/benchmark',
    '/ledger',
    '/feeds',
    '/status',
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

test('charts of the record end today, state the newest reading, and leave days without readings out', async () => {
  for (const path of ['/accuracy', '/silence']) {
    const { text } = await getPage(url + path);
    assert.match(
      text,
      /<p class="age">Newest reading: <time [^>]*>11 Nov 2026, 12:00 SGT<\/time>\.<\/p>/,
      path,
    );
    assert.match(text, />today<\/text>/, path);
  }
  const { text } = await getPage(`${url}/silence`);
  assert.match(text, /6 Nov 2026<td class=figures>not observed/);
});

test('the page of a pocket tells the one reason of its silence, and leads to its days', async () => {
  const { text } = await getPage(`${url}/pocket/holland`);
  const { reason_text } = (await ask(`${url}/api/pocket-silence?pocket=holland`)).json<{
    reason_text: string;
  }>();
  assert.match(text, new RegExp(`Nothing (?:more )?is said now: ${reason_text}\\.`));
  const adviceLine = (page: string) => /<p class="advice (?:answer )?go-.*?>(.*?)<\/p>/s.exec(page)?.[1];
  const first = (await getPage(`${url}/?q=holland`)).text;
  assert.ok(adviceLine(text));
  assert.equal(adviceLine(text), adviceLine(first), 'the same advice as on the first page');
  const { days } = (await ask(`${url}/api/pocket-calendar?pocket=holland`)).json<{
    days: { date: string; calm: (number | null)[] }[];
  }>();
  const cells = days.flatMap(({ calm }) => calm.filter((level) => level !== null));
  assert.equal([...text.matchAll(/<td class=c\d>/g)].length, cells.length);
  assert.match(text, /<a href="\/pocket\/holland\/2026-11-10">/);
  const past = await getPage(`${url}/pocket/holland/2026-11-10`);
  assert.equal(past.status, 200);
  assert.match(past.text, /<h1>Holland Village, Tuesday 10 \w+ 2026<\/h1>/);
  assert.match(past.text, /Not said: |Said:|Nothing to decide: /);
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
  assert.match(text, /\(2\u00a0% to 8\u00a0%\) is assumed, not observed/);
  assert.match(text, /<option value="7" selected>/);
  for (const path of ['nowhere/backtest', `${own?.id}/backtest?days=91`])
    assert.ok([400, 404].includes((await getPage(`${url}/outlet/${path}`)).status), path);
});

describe('the first page', () => {
  const listedRows = async (query = '') =>
    [...(await getPage(`${url}/${query}`)).text.matchAll(/<li id="p-(\w+)" .*?<\/li>/gs)].map(
      ([text, id = '']) => ({ id, text }),
    );

  test('lists the calmest pocket first, or by name, with the same figures as the API', async () => {
    const rows = await listedRows();
    assert.equal(rows.length, service.registry.pockets.length);
    const { pockets } = (await ask(`${url}/api/network`)).json<AnswerOf<typeof getNetworkNow>>();
    const chance = new Map(pockets.map((row) => [row.pocket_id, row.calm_probability ?? Number.NaN]));
    const shown = rows.map(({ id }) => chance.get(id) ?? Number.NaN);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => b - a),
    );
    for (const { id, text } of rows) {
      const [, percent = ''] = /calm \((?:under )?([\d.]+)\u00a0%\)/i.exec(text) ?? [];
      assert.ok(Math.abs(Number(percent) - 100 * (chance.get(id) ?? Number.NaN)) <= 1, `${id} ${percent}`);
    }
    const byName = (await listedRows('?order=name')).map(({ id }) => id);
    assert.deepEqual(
      byName,
      pockets.map(({ pocket_id }) => pocket_id),
    );
  });

  test('tells the window of each row as the API does, against what is usual, and what is open', async () => {
    const { pockets } = (await ask(`${url}/api/windows`)).json<AnswerOf<typeof listCalmWindows>>();
    const rows = new Map(pockets.map((row) => [row.pocket_id, row]));
    for (const { id, text } of await listedRows()) {
      const { window, next_window, open_kinds } = rows.get(id) ?? assert.fail(id);
      const end = (window ?? next_window)?.ends_at;
      if (end) assert.ok(text.includes(singapore.localClock(Date.parse(end))), `${id} ${end}`);
      assert.match(text, /(?:Calmer than|About as|Less calm than) usual/);
      assert.equal(/class="open"/.test(text), open_kinds !== null, id);
    }
  });

  test('finds a place by a name with a typo, and offers similar names where none matches', async () => {
    assert.equal((await listedRows('?q=tiong+baru'))[0]?.id, 'tiongbahru');
    const none = (await getPage(`${url}/?q=zzqq`)).text;
    assert.match(none, /No place matches “zzqq”/);
    assert.doesNotMatch(none, /Similar names/);
    assert.match((await getPage(`${url}/?q=joo+koon`)).text, /Similar names:.*Joo Chiat/);
  });

  test('lists those that suit an intent, at an hour; an unknown one is refused', async () => {
    for (const { text } of await listedRows('?intent=late-lunch&at=14')) {
      assert.match(text, /Late lunch: suits it/);
      assert.match(text, /calm \((?:under )?[\d.]+\u00a0%\)/i);
    }
    assert.match((await getPage(`${url}/?intent=late-lunch&at=3`)).text, /makes sense from 13:30 to 16:30/);
    assert.equal((await getPage(`${url}/?intent=nothing`)).status, 400);
  });

  test('two to four pockets are compared side by side', async () => {
    const reply = await getPage(`${url}/compare?pockets=holland&pockets=siglap`);
    assert.equal(reply.status, 200);
    assertSafePage('/compare', reply);
    assert.equal(reply.text, (await getPage(`${url}/compare?pockets=holland,siglap`)).text);
    const five = await getPage(`${url}/compare?pockets=holland,siglap,cluny,dempsey,frankel`);
    assert.equal(five.status, 200);
    assert.match(five.text, /At most 4 pockets fit side by side: these are the first 4 of 5/);
    const saturday = await getPage(`${url}/compare?pockets=holland,siglap&day=2026-11-14&at=10`);
    assert.match(saturday.text, /What is expected on Saturday at 10:00/);
    assert.equal((await getPage(`${url}/compare?pockets=holland,nowhere`)).status, 404);
    assert.equal((await getPage(`${url}/compare`)).status, 200);
  });
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

describe('what other sites and programs show of a pocket', () => {
  const named = (path: string) => path.replace(':id', pocket.id);

  test('its page names its feeds and a picture that is drawn', async () => {
    const { text } = await getPage(`${url}${named('/pocket/:id')}`);
    for (const [type, path] of [
      ['application/rss+xml', '/pocket/:id/stream.rss'],
      ['application/rss+xml', '/pocket/:id/forecasts.rss'],
      ['text/calendar', '/pocket/:id/calm.ics'],
    ] as const) {
      assert.match(
        text,
        new RegExp(`<link rel="alternate" type="${RegExp.escape(type)}" [^>]*"${named(path)}">`),
      );
      assert.equal((await ask(url + named(path))).headers['content-type'], `${type}; charset=utf-8`);
    }
    const [, image = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? [];
    assert.equal(image, base + named('/card/pocket/:id.png'));
    const [ofOutlet] = active;
    const outletCard = `/card/outlet/${ofOutlet?.id}.png`;
    const outletPage = (await getPage(`${url}/outlet/${ofOutlet?.id}`)).text;
    assert.ok(outletPage.includes(`<meta property="og:image" content="${base}${outletCard}">`));
    assert.equal((await ask(`${url}/card/outlet/nowhere.png`)).status, 404);
    for (const address of [image.slice(base.length), outletCard, '/card.png']) {
      const png = decodePng(Buffer.from(await (await fetch(url + address)).arrayBuffer()));
      assert.deepEqual([png.width, png.height], [1200, 630]);
    }
    assert.match((await getPage(`${url}/trust`)).text, /property="og:image" content="[^"]+\/card\.png"/);
    assert.doesNotMatch((await getPage(`${url}/nowhere`)).text, /og:image/);
  });

  test('its feeds hold its own events alone, lines and outcomes of forecasts apart', async () => {
    const { pockets } = service.registry;
    const said = await store.all<{ pocket_id: string }>('select distinct pocket_id from packages');
    const { id, name } =
      pockets.find((one) => one !== pocket && said.some(({ pocket_id }) => pocket_id === one.id)) ??
      assert.fail();
    for (const [path, kind] of [
      ['stream.rss', 'what was said'],
      ['forecasts.rss', 'how a forecast turned out'],
    ] as const) {
      const rss = parseXml((await ask(`${url}/pocket/${id}/${path}?since=all`)).text);
      const items = childElements(rss.children[0] as Element, 'item');
      assert.ok(items.length > 0, path);
      for (const item of items) assert.match(childText(item, 'title'), new RegExp(`^${name}, .*: ${kind}$`));
    }
    assert.equal((await ask(`${url}/pocket/atlantis/stream.rss`)).status, 404);
  });

  test('its calendar can be subscribed to with plain links, from its page and where it is shared', async () => {
    const file = `${base}/pocket/holland/calm.ics`;
    const subscription = file.replace('http:', 'webcal:');
    for (const path of ['/pocket/holland', '/share/holland']) {
      const { text } = await getPage(url + path);
      for (const link of [
        '/pocket/holland/calm.ics',
        subscription,
        `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(subscription)}`,
        `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(file)}`,
      ])
        assert.ok(text.includes(`<a href="${link}">`), `${path}: ${link}`);
    }
  });

  test('its calendar is valid', async () => {
    for (const id of [pocket.id, 'holland']) parseIcal((await ask(`${url}/pocket/${id}/calm.ics`)).text);
  });

  test('its badge is an image with a title, cached like other replies', async () => {
    const path = named('/badge/pocket/:id.svg');
    const { text, headers } = await ask(url + path);
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    const svg = parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
    assert.match(
      childText(svg, 'title'),
      /^Here <img src=x .*calm \((?:under )?[\d.]+\u00a0%\).* · simulated, 12:00 SGT, 11 Nov 2026$/,
    );
    assert.equal(svg.attributes.role, 'img');
    assert.match(String(headers['cache-control']), /max-age=\d+/);
    const again = await ask(url + path, { headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.status, 304);
    assert.equal((await ask(`${url}/badge/pocket/atlantis.svg`)).status, 404);
  });

  test('its card may be framed, runs no script and has the colours asked for', async () => {
    const path = named('/embed/pocket/:id');
    const reply = await getPage(`${url}${path}?theme=dark`);
    assertSafePage(path, reply);
    assert.match(reply.text, /<html lang="en" data-theme="dark">/);
    assert.match(reply.text, /Simulated data/);
    assert.doesNotMatch(reply.text, /<script/);
    assert.equal((await ask(`${url}${path}?theme=blue`)).status, 400);
  });

  test('the card, the badge and the moment have the same chance of calm', async () => {
    const { calm_probability } = (await ask(`${url}/api/moment?pocket=holland`)).json<{
      calm_probability: number;
    }>();
    for (const path of ['/embed/pocket/holland', '/badge/pocket/holland.svg'])
      assert.ok((await ask(url + path)).text.toLowerCase().includes(chanceText(calm_probability)), path);
  });

  test('the snippets hold the public address, escaped', async () => {
    const path = named('/share/:id');
    const reply = await getPage(url + path);
    assertSafePage(path, reply);
    const snippets = [...reply.text.matchAll(/<textarea[^>]*>([^<]*)</g)].map(([, text = '']) => text);
    assert.equal(snippets.length, 6);
    for (const snippet of snippets) assert.ok(snippet.includes(`${base}/`), snippet);
    for (const link of pageLinks(reply.text, base + path))
      assert.equal((await ask(url + link.replace(/#.*/, ''))).status, 200, link);
  });
});

describe('the site as an installed app', () => {
  test('the manifest names icons of the size that they have', async () => {
    const { json, headers } = await ask(`${url}/manifest.webmanifest`);
    assert.equal(headers['content-type'], 'application/manifest+json; charset=utf-8');
    const { icons } = json<{ icons: { src: string; sizes: string; type: string }[] }>();
    for (const { src, sizes, type } of icons) {
      const reply = await fetch(url + src);
      assert.ok(reply.headers.get('content-type')?.startsWith(type), src);
      if (type !== 'image/png') continue;
      const { width, height } = decodePng(Buffer.from(await reply.arrayBuffer()));
      assert.equal(`${width}x${height}`, sizes);
    }
    assert.equal((await ask(`${url}/favicon.ico`)).headers['content-type'], 'image/x-icon');
  });

  test('the service worker is checked for a new version each time, and knows the assets', async () => {
    const { text, headers } = await ask(`${url}/sw.js`);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.match(text, /^const VERSION = "[0-9a-f]{12}";\nconst ASSETS = \["\/assets\/page\./);
    assert.ok(text.includes(assets.icon.address) && text.includes(styles.page.source));
  });
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
  const before = clock.now;
  clock.now = Date.now();
  const { stdout } = await run('sh', ['-c', plain]).finally(() => {
    clock.now = before;
  });
  assert.equal(JSON.parse(stdout).status, 'queued_for_scoring');
});

test('pages with accuracy say how many forecasts were sealed before their outcome', async () => {
  for (const path of ['/accuracy', '/trust', '/benchmark']) {
    const { text } = await ask(`${url}${path}`);
    assert.match(text, /[\d,]+ scored, none sealed before its outcome: all were written afterwards/, path);
  }
});
