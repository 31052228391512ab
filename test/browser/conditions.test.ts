// Every page in every condition: served, safe, light, and in a browser without errors, faults of accessibility or parts
// wider than a phone; code has its face, and a button that copies it. Each page is opened once for all checks. After an
// ordinary day only the first page is, and those with markup that none opened before has; JOURNEYS=all opens them all.
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assets } from '../../src/web/site/assets.ts';
import { accessibilityFaults, noBrowser, openPage } from '../support/browser/browser.ts';
import { checkPage } from '../support/browser/page-visits.ts';
import { sharedBrowser } from '../support/browser/shared-browser.ts';
import { type Condition, conditions, listPages, type Started } from '../support/services/conditions.ts';
import type { Reply } from '../support/services/http-client.ts';
import { assertSafePage, getPage } from '../support/services/pages.ts';

const ALL = process.env.JOURNEYS === 'all';
const MOST_BYTES = 100_000;
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 900 };

/** The page with all that it loads, uncompressed; with `compressed` as a browser gets it. */
function loadedBytes({ text }: Reply, compressed = false): number {
  const size = (body: string) => (compressed ? gzipSync(body).length : Buffer.byteLength(body));
  const loaded = Object.values(assets).filter(({ address }) => text.includes(address));
  return loaded.reduce((sum, { body }) => sum + size(body), size(text));
}

let tab: ReturnType<typeof openPage> | undefined;
/** The markup of pages that had no fault: of an ordinary day, and then of those with something new. */
const viewed = new Set<string>();

/** Its kinds of elements: tag, classes and the names of attributes. */
const markupOf = (text: string): string[] =>
  Array.from(text.matchAll(/<([a-z][\w-]*)([^>]*)>/g), ([, tag = '', attributes = '']) => {
    const [, classes = ''] = /\bclass="([^"]*)"/.exec(attributes) ?? [];
    const names = Array.from(attributes.matchAll(/([\w-]+)(?:=(?:"[^"]*"|[^\s"]+))?/g), ([, name]) => name);
    return [tag, classes, ...names].join(' ');
  });

/** The faults of a page, in the tab that all pages are opened in. */
async function view(address: string): Promise<string[]> {
  tab ??= openPage(await sharedBrowser(), { viewport: PHONE });
  const { page, browserErrors } = await tab;
  browserErrors.length = 0;
  const faults: string[] = [];
  const reply = await page.goto(address);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: viewport === PHONE ? 'light' : 'dark' });
    const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
    if (wider > 0) faults.push(`${wider} too wide at ${viewport.width}`);
    faults.push(...(await accessibilityFaults(page)));
  }
  faults.push(...(await checkPage<string[]>(page, 'proportionalCode')));
  if (!new URL(address).pathname.startsWith('/embed/'))
    faults.push(...(await checkPage<string[]>(page, 'copyFaults')));
  // The browser reports the status of the page itself as an error.
  const own = `status of ${reply?.status()}`;
  faults.push(...browserErrors.filter((error) => !error.includes(own)));
  return faults;
}

for (const condition of conditions) describe(condition.title, () => testPages(condition));

function testPages({ start, status, notice, isLarge, check }: Condition): void {
  const ends: (() => unknown)[] = [];
  let url: string;
  let started: Started;
  const pages = new Map<string, Reply>();
  before(async () => {
    const atEnd = ((end: () => unknown) => void ends.unshift(end)) as TestContext['after'];
    started = await start({ after: atEnd });
    url = started.url;
    for (const path of await listPages(started)) pages.set(path, await getPage(url + path));
  });
  after(async () => {
    for (const end of ends) await end();
  });

  test('every page is served, safe and says what is out of order', () => {
    for (const [path, reply] of pages) {
      assert.ok(status(path).includes(reply.status), `${path}: ${reply.status}`);
      assertSafePage(path, reply);
      const [, shown] = /<p class="notice"[^>]*>([^<]*)/.exec(reply.text) ?? [];
      if (!path.startsWith('/embed/')) assert.match(shown ?? 'none', notice, path);
    }
  });

  test('every page is under 100 KB with all that it loads', () => {
    for (const [path, reply] of pages) {
      // A hundred rows and their marks on the map: there the limit is what a browser loads.
      const bytes = loadedBytes(reply, path === '/' && isLarge);
      assert.ok(bytes < MOST_BYTES, `${path}: ${bytes}`);
    }
  });

  test('in a browser: no error, nothing too wide, no serious fault, code that can be copied', {
    skip: noBrowser,
  }, async () => {
    const isOrdinary = viewed.size === 0;
    for (const [path, reply] of pages) {
      const markup = markupOf(reply.text);
      const isNew = isOrdinary || path === '/' || markup.some((kind) => !viewed.has(kind));
      if (!ALL && !isNew) continue;
      assert.deepEqual(await view(url + path), [], path);
      for (const kind of markup) viewed.add(kind);
    }
  });

  // The last, because it may change the clock.
  if (check) test(check.title, () => check.run(started));
}
