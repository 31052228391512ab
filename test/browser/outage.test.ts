// The service stops under an open page, and under the pages that a browser has saved: no verdict on the present stays,
// and each page says since when there was no answer.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityFaults, noBrowser, openPage } from '../support/browser/browser.ts';
import { type GatewayState, startGateway } from '../support/browser/gateway.ts';
import { ordinaryDay, sharedBrowser } from '../support/browser/shared-browser.ts';

const viewports = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];
/** 12:01 in Singapore, a minute after the newest reading. */
const OPENED_AT = new Date('2026-11-11T04:01:00Z');
const NOT_ANSWERED =
  'The service has not answered since 12:01. What it said about the present is hidden until it answers.';

/** What only a page that is current may say. */
const verdicts =
  /Good now|Better (?:at|later)|Not (?:likely )?calm (?:soon|in)|Calmest now|worth (?:knowing|interrupting)|likely for about|as usual \(|than usual|Fit with the present|(?:Open|Closed) now|open now|Proposed now|proposed now|said now|Everything works|Observing on time|\d of \d checks|Passing|Warning|Lag\b|Best in the next|\d % likely calm|Calm probability|reason to speak, for which|No current reading/;

/** Elements of the content that are shown in a green: the colour of what is good now. */
const greens = `(() => {
  const isGreen = (colour) => {
    const [r, g, b, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
    return alpha > 0 && g >= r && (high - low) / (high + low) > 0.2 && g >= 0.85 * b && high > 40 && g > 1.15 * r;
  };
  return [...document.querySelectorAll('main *')].filter((element) => element.checkVisibility()).flatMap((element) => {
    const style = getComputedStyle(element);
    const isDrawn = element instanceof SVGElement;
    const colours = [style.color, style.backgroundColor, style.borderLeftColor, ...(isDrawn ? [style.fill, style.stroke] : [])];
    return colours.some(isGreen) ? [element.outerHTML.slice(0, 120) + ' ' + colours.join(' ')] : [];
  });
})()`;

const outageNote = (page: Page) => page.locator('main > p.outage[role=status]');

/**
 * Runs the check on a phone and on a desktop. A page is opened once for both: what it does while nobody answers does not
 * depend on its width, what it shows does.
 */
async function atEachWidth(page: Page, check: (width: number) => Promise<void>): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await check(viewport.width);
  }
}

/** No verdict is seen or read out, nothing is green in either scheme, and the page is as wide as the window. */
const assertNothingOldStands = (page: Page, path: string): Promise<void> =>
  atEachWidth(page, async (width) => {
    const about = `${path}, ${width} px`;
    assert.doesNotMatch(await page.locator('main').innerText(), verdicts, about);
    assert.doesNotMatch(await page.locator('main').ariaSnapshot(), verdicts, about);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await page.evaluate(greens), [], `${about}, ${colorScheme}`);
    }
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(wider, 0, about);
  });

/** The text of the page but the names on its map: how many find room is known only some frames after a change of width. */
const readText = `(() => {
  const names = [...document.querySelectorAll('main svg text')];
  const styles = names.map(({ style }) => style.visibility);
  for (const { style } of names) style.visibility = 'hidden';
  const text = document.querySelector('main').innerText;
  names.forEach(({ style }, n) => { style.visibility = styles[n]; });
  return text;
})()`;

/** What the page shows on a phone and on a desktop. */
async function readContent(page: Page): Promise<string[]> {
  const texts: string[] = [];
  await atEachWidth(page, async () => void texts.push(await page.evaluate<string>(readText)));
  return texts;
}

/** Lets the page's clock run until the note says what is expected. */
async function untilNote(page: Page, expected: string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if ((await outageNote(page).textContent()) === expected) return;
    await page.clock.runFor(2_000);
    await page.waitForTimeout(20);
  }
  assert.equal(await outageNote(page).textContent(), expected);
}

describe('an outage', { skip: noBrowser }, () => {
  let browser: Browser;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let livePages: string[];
  before(async () => {
    const { url, service } = await ordinaryDay();
    gateway = await startGateway(url);
    browser = await sharedBrowser();
    const outlet = service.registry.outlets.find(({ active }) => active)?.id;
    livePages = [
      ...['/', '/pocket/holland', '/pocket/holland/evidence', '/pocket/holland/intent/quiet-now'],
      ...['/compare', `/outlet/${outlet}`, '/status'],
    ];
  });
  after(() => gateway.close());
  afterEach(() => gateway.become('passing'));

  async function openAt(path: string): Promise<Page> {
    const { page } = await openPage(browser);
    await page.clock.install({ time: OPENED_AT });
    await page.goto(gateway.url + path);
    return page;
  }

  test('every open page about the present says since when, in place of its verdicts, until there is an answer', async () => {
    for (const path of livePages) {
      const page = await openAt(path);
      const current: string[] = [];
      await atEachWidth(page, async () => {
        const shown = await page.evaluate<string>(readText);
        assert.match(shown, verdicts, path);
        current.push(shown);
        assert.notDeepEqual(await page.evaluate(greens), [], path);
      });
      await gateway.become('refusing');
      await page.clock.fastForward('13:00');
      assert.deepEqual(await readContent(page), current, 'until the next reading it is current');
      // A minute after the quarter hour.
      await page.clock.fastForward('02:00');
      await outageNote(page).getByText(NOT_ANSWERED, { exact: true }).waitFor();
      await assertNothingOldStands(page, path);
      await atEachWidth(page, async (width) => {
        await page.emulateMedia({ colorScheme: width === 360 ? 'light' : 'dark' });
        assert.deepEqual(await accessibilityFaults(page), [], `${path}, ${width} px`);
      });
      // It is told once: a region whose text is set again would be read out again.
      await page.evaluate(
        `globalThis.told = 0; new MutationObserver(() => { told += 1; }).observe(document.querySelector('.outage'), { childList: true, characterData: true, subtree: true })`,
      );
      await page.clock.runFor(150_000);
      await page.waitForTimeout(50);
      assert.equal(await page.evaluate('told'), 0);
      await gateway.become('passing');
      await untilNote(page, '');
      assert.deepEqual(await readContent(page), current, path);
      await page.context().close();
    }
  });

  const failures: [what: string, state: GatewayState][] = [
    ['answers with an error', 'failing'],
    ['does not answer in time', 'hanging'],
  ];
  for (const [what, state] of failures)
    test(`the same while the service ${what}`, async () => {
      const page = await openAt('/');
      await gateway.become(state);
      await page.clock.fastForward('15:00');
      // Ten seconds of waiting for the reply are within the minute.
      await untilNote(page, NOT_ANSWERED);
      assert.ok((await page.evaluate<number>('Date.now()')) < OPENED_AT.getTime() + 17 * 60_000);
      await assertNothingOldStands(page, state);
      await gateway.become('passing');
      await untilNote(page, '');
      await page.getByRole('heading', { name: /^Calmest now/ }).waitFor();
      await page.context().close();
    });

  test('a browser without a connection is told so, and reads the page again when it is back', async () => {
    const page = await openAt('/pocket/holland');
    await page.context().setOffline(true);
    await page.clock.fastForward('15:00');
    await untilNote(
      page,
      'You are offline. This is what was known at 12:01; what was said about the present is hidden.',
    );
    await assertNothingOldStands(page, 'offline');
    await page.context().setOffline(false);
    await page.locator('.glance .advice').waitFor();
    assert.equal(await outageNote(page).textContent(), '');
    await page.context().close();
  });

  test('a page that the browser kept is asked for at once on the way back to it', async () => {
    const { page } = await openPage(browser);
    await page.goto(gateway.url);
    await page.goto(`${gateway.url}/about`);
    await gateway.become('refusing');
    await page.goBack();
    await outageNote(page)
      .getByText(/^The service has not answered since \d\d:\d\d\. What it said/)
      .waitFor();
    await assertNothingOldStands(page, 'back');
    await page.context().close();
  });

  test('a saved page tells a silent service from a missing connection, and has no verdict in either case', async () => {
    const { context, visit } = await visitWithWorker();
    for (const path of [...livePages, '/share/holland']) {
      await visit.goto(gateway.url + path);
      await visit.evaluate(untilSaved);
    }
    const saved =
      'This page was saved (?:less than a|\\d) minutes? ago, at \\d\\d:\\d\\d\\. What it said about the present is hidden\\.';
    for (const state of ['refusing', 'failing', 'offline'] as const) {
      if (state === 'offline') await context.setOffline(true);
      else await gateway.become(state);
      const lead =
        state === 'offline' ? 'You are offline\\.' : 'The service has not answered since \\d\\d:\\d\\d\\.';
      for (const path of state === 'refusing' ? livePages : ['/', '/status']) {
        await visit.goto(gateway.url + path);
        const text = (await outageNote(visit).textContent()) ?? '';
        assert.match(text, new RegExp(`^${lead} ${saved}$`), `${path}, ${state}`);
        await assertNothingOldStands(visit, `${path}, ${state}`);
      }
      await visit.goto(`${gateway.url}/share/holland`);
      assert.match((await outageNote(visit).textContent()) ?? '', /It may be out of date\.$/);
      await atEachWidth(visit, async () => assert.equal(await visit.locator('.previews').isVisible(), false));
      await gateway.become('passing');
    }
    await visit.goto(`${gateway.url}/trust`);
    assert.equal(await visit.locator('h1').textContent(), 'You are offline');
    await context.setOffline(false);
    await gateway.become('refusing');
    await visit.goto(`${gateway.url}/trust`);
    assert.equal(await visit.locator('h1').textContent(), 'The service is not answering');
    await atEachWidth(visit, async () => assert.deepEqual(await accessibilityFaults(visit), []));
    await gateway.become('passing');
    await visit.goto(`${gateway.url}/`);
    assert.equal(await outageNote(visit).textContent(), '');
    await visit.getByRole('heading', { name: /^Calmest now/ }).waitFor();
    await context.close();
  });

  test('an open page is not taken in by the copy that was saved of it', async () => {
    const { context, visit } = await visitWithWorker(OPENED_AT);
    await gateway.become('refusing');
    await visit.clock.fastForward('15:00');
    await untilNote(visit, NOT_ANSWERED);
    await assertNothingOldStands(visit, 'with a worker');
    await gateway.become('passing');
    await untilNote(visit, '');
    await visit.getByRole('heading', { name: /^Calmest now/ }).waitFor();
    await context.close();
  });

  test('a saved page that stays open shows the answers when they return', async () => {
    const { context, visit } = await visitWithWorker();
    await context.setOffline(true);
    await visit.reload();
    assert.match((await outageNote(visit).textContent()) ?? '', /^You are offline\./);
    // The connection is back before the service is.
    await gateway.become('refusing');
    await context.setOffline(false);
    await outageNote(visit)
      .getByText(/^The service has not answered since \d\d:\d\d\. This page was saved /)
      .waitFor();
    await assertNothingOldStands(visit, 'saved and open');
    await gateway.become('passing');
    await visit.evaluate(`dispatchEvent(new Event('online'))`);
    await visit.getByRole('heading', { name: /^Calmest now/ }).waitFor();
    assert.equal(await outageNote(visit).textContent(), '');
    await context.close();
  });

  const untilSaved =
    '(async () => { while (!(await caches.match(location.href))) await new Promise((next) => setTimeout(next, 20)); })()';

  /** The first page, saved by the worker, which controls the tab from then on. */
  async function visitWithWorker(time?: Date): Promise<{
    context: BrowserContext;
    visit: Page;
  }> {
    const context = await browser.newContext({ serviceWorkers: 'allow' });
    const visit = await context.newPage();
    if (time) await visit.clock.install({ time });
    await visit.goto(`${gateway.url}/`);
    await visit.evaluate(
      `new Promise((done) => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.addEventListener('controllerchange', () => done(), { once: true }))`,
    );
    await visit.evaluate(untilSaved);
    return { context, visit };
  }
});
