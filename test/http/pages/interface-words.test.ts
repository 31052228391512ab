// The words of the interface on every page: headings, buttons, labels, navigation and heads of tables are in sentence
// case. The lowercase voice is for composed lines alone, which stand in a blockquote or in the classes voice and words.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getHeartbeat } from '../../../src/operations/report/get-heartbeat.ts';
import { dynamicPages, staticPages } from '../../../src/web/pages/all.ts';
import { Html } from '../../../src/web/parts/html.ts';
import { explainedTerms, undefinedTerms } from '../../../src/web/parts/terms.ts';
import { ask } from '../../support/services/http-client.ts';
import { bytesWithAssets, getPage, pageLinks } from '../../support/services/pages.ts';
import { startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });
const { registry, baseUrl } = service;

const bytes = new Map<string, number>();

/** One page of each kind, found by following links; some are reached through a form. */
async function samplePages(): Promise<Map<string, string>> {
  const kinds = [
    ...dynamicPages,
    ...staticPages,
    { path: '/docs' },
    { path: '/docs/:path' },
    { path: '/share/:id' },
  ];
  const patterns = kinds.map(
    ({ path }) => [path, new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)] as const,
  );
  const pageKind = (address: string) =>
    patterns.find(([, pattern]) => pattern.test(address.replace(/[?#].*/, '')))?.[0];
  const pages = new Map<string, string>();
  const outlet = registry.outlets.find(({ active }) => active) ?? assert.fail();
  const queue = ['/', `/outlet/${outlet.id}/backtest`, '/docs/api/moment', '/outlets?q=zz'];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const kind = pageKind(address);
    if (kind === undefined || pages.has(kind)) continue;
    const { status, text } = await getPage(url + address);
    assert.equal(status, 200, address);
    pages.set(kind, text.replace(/<style>.*?<\/style>/s, ''));
    bytes.set(kind, bytesWithAssets(text));
    queue.push(...pageLinks(text, baseUrl + address));
  }
  // A day of history has no report; the page of the newest one has the same renderer.
  const missing = [...dynamicPages, ...staticPages].filter(
    ({ path }) => !pages.has(path) && !path.endsWith('_iso'),
  );
  assert.deepEqual(missing, [], 'no link leads to them');
  return pages;
}
const pages = await samplePages();

const plain = (markup: string): string =>
  markup
    .replaceAll(/<(blockquote|code|pre|svg|small)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Headings, buttons, labels, summaries, terms of lists, heads of columns, and links of navigation. */
function interfaceTexts(page: string): string[] {
  const elements = page.matchAll(
    /<(h[1-6]|button|legend|summary|caption|dt|th(?= scope="col")|title)\b[^>]*>(.*?)<\/\1>/gs,
  );
  const labels = page.matchAll(/<(label)\b[^>]*>(.*?)(?:<\/label>|<select|<textarea|<input)/gs);
  const navs = [...page.matchAll(/<nav\b.*?<\/nav>/gs)].flatMap(([nav]) => [
    ...nav.matchAll(/<(a)\b[^>]*>(.*?)<\/a>/gs),
  ]);
  return [...elements, ...labels, ...navs]
    .map(([, , markup = '']) => plain(markup))
    .filter((text) => text !== '');
}

/** Written with capitals, or in lowercase, wherever they stand. */
const names = [
  ...registry.pockets.flatMap(({ name, region, aliases }) => [name, region, ...aliases]),
  ...registry.outlets.map(({ name }) => name),
  ...[
    registry.city.name,
    'pocketwatch',
    'Pocketwatch',
    'Brier',
    'Wilson',
    'Merkle',
    'Markdown',
    'Ed25519',
    'iCalendar',
  ],
  ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  ...[
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
  ],
  ...[
    'December',
    'Mon',
    'Tue',
    'Wed',
    'Thu',
    'Fri',
    'Sat',
    'Sun',
    'Jan',
    'Feb',
    'Mar',
    'Apr',
    'Jun',
    'Jul',
    'Aug',
  ],
  ...[
    'Sep',
    'Oct',
    'Nov',
    'Dec',
    'Claude',
    'Inspector',
    'Code',
    'Desktop',
    'Cursor',
    'curl',
    'VS',
    'Python',
    'TypeScript',
  ],
].toSorted((a, b) => b.length - a.length);
const anyName = new RegExp(
  `(?<![\\p{L}])(?:${names.map((name) => RegExp.escape(name)).join('|')})(?![\\p{L}])`,
  'gu',
);

/** What breaks the sentence case of a text: a lowercase start, or a capital inside a sentence. */
function caseFault(text: string): string | null {
  // The symbol of a sample size is lowercase.
  if (text === 'n') return null;
  const own = text.replaceAll(anyName, '#');
  if (/^\p{Ll}/u.test(own)) return 'begins in lowercase';
  const inside = /(?<![.?!:·/“"(]\s?)\s(\p{Lu}\p{Ll}+)/u.exec(own);
  return inside ? `has a capital inside: ${inside[1]}` : null;
}

test('headings, buttons, labels, navigation and heads of tables are in sentence case', () => {
  const faults = [...pages].flatMap(([path, page]) =>
    interfaceTexts(page).flatMap((text) => {
      // Names of tools and arguments stand as they are called.
      const fault = path.startsWith('/docs') && /^[a-z_]+$/.test(text) ? null : caseFault(text);
      return fault ? [`${path}: “${text}” ${fault}`] : [];
    }),
  );
  assert.deepEqual([...new Set(faults)], []);
});

test('the check finds what it is for', () => {
  for (const text of ['how to ask', 'The Figures as a table', 'for machines'])
    assert.ok(caseFault(text), text);
  for (const text of ['API docs', 'Holland Village, Tuesday 10 Nov 2026', 'Compare Siglap, Holland Village'])
    assert.equal(caseFault(text), null, text);
});

test('no page uses the private words of earlier versions', () => {
  const riddles =
    /spoken of just now|simulated substrate|how to ask|for machines|some \d+ minutes likely|too little resonance|taken up|composable/i;
  for (const [path, page] of pages)
    assert.doesNotMatch(page.replaceAll(/<pre\b.*?<\/pre>/gs, ''), riddles, path);
});

test('a check is named for what it looks at in any city, and by the name of the contract in the API alone', async () => {
  for (const [path, page] of pages)
    assert.doesNotMatch(page.replaceAll(/<pre\b.*?<\/pre>/gs, ''), /LTA signals/i, path);
  assert.match(pages.get('/status') ?? '', />City feeds</);
  const { checks } = (await ask(`${url}/api/heartbeat`)).json<AnswerOf<typeof getHeartbeat>>();
  assert.ok(checks.some(({ name }) => name === 'LTA signals'));
});

test('every term that a page uses is defined one tap away', () => {
  assert.ok(explainedTerms.length > 10);
  for (const [path, page] of pages)
    if (path !== '/glossary')
      assert.deepEqual(undefinedTerms(new Html(/<main.*<\/main>/s.exec(page)?.[0] ?? '')), [], path);
});

test('percentages have one style', () => {
  for (const [path, page] of pages) {
    if (path.startsWith('/docs')) continue;
    const [found] =
      /.{20}\d ?%/s.exec(page.replaceAll(/<(?:pre|textarea)\b.*?<\/(?:pre|textarea)>|<[^>]*>/gs, ' ')) ?? [];
    assert.equal(found, undefined, path);
  }
});

test('a page of each kind is under 100 KB with its assets, in a city of many pockets', () => {
  for (const [kind, size] of bytes) assert.ok(size < 100_000, `${kind}: ${size}`);
});
