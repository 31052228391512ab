// The pages in a real browser: errors, layout and accessibility, what the script adds, and the pages without it.
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { accessibilityFaults, noBrowser, openPage, startBrowser } from '../support/services/browser.ts';
import { startService } from '../support/services/service.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  let url: string;
  let outlet: string;
  let forecast: string;
  let silence: string;
  const ends: (() => unknown)[] = [];
  before(async () => {
    const atEnd = ((end: () => unknown) => void ends.unshift(end)) as TestContext['after'];
    const started = await startService({ after: atEnd });
    url = started.url;
    outlet = started.service.registry.outlets.find(({ active }) => active)?.id ?? '';
    forecast = await idOf(`${url}/api/predictions?pocket=holland&revealed=only&limit=1`, 'entries');
    silence = await idOf(`${url}/api/explanations?decision_type=silence&limit=1`, 'items');
    browser = await startBrowser();
    ends.unshift(() => browser.close());
  });
  after(async () => {
    for (const end of ends) await end();
  });

  const mainPages = (): string[] => [
    '/',
    '/pocket/holland',
    '/pocket/holland/intent/quiet-now',
    `/outlet/${outlet}`,
    '/accuracy',
    '/silence',
    `/explanations/${silence}`,
    '/trust',
    '/reports',
    '/reports/weekly/holland',
    '/benchmark',
    '/ledger',
    `/ledger/${forecast}`,
    '/about',
    '/docs',
    '/mcp',
    '/outlets',
    '/feeds',
    '/status',
  ];

  test('every main page: no errors, no horizontal scrolling, no serious accessibility violation', async () => {
    const { page, browserErrors } = await openPage(browser);
    for (const path of mainPages()) {
      for (const [viewport, colorScheme] of [
        [PHONE, 'light'],
        [DESKTOP, 'dark'],
        [PHONE, 'dark'],
        [DESKTOP, 'light'],
      ] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const first = viewport === PHONE && colorScheme === 'light';
        if (first) await page.goto(url + path);
        const where = `${path} at ${viewport.width} in ${colorScheme}`;
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((wider as number) <= 0, `${where} is ${wider} too wide`);
        // The content of a page is the same in every colour scheme and width; only contrast and target sizes differ.
        const rules = first ? undefined : ['color-contrast', 'target-size'];
        if (first || (viewport === DESKTOP && colorScheme === 'dark'))
          assert.deepEqual(await accessibilityFaults(page, rules), [], where);
      }
      assert.deepEqual(browserErrors, [], path);
    }
  });

  test('the skip link is focused first, and leads to the content', async () => {
    const { page } = await openPage(browser, { viewport: PHONE });
    await page.goto(url);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  });

  test('the colours follow the visitor’s scheme', async () => {
    const { page } = await openPage(browser, { viewport: PHONE });
    await page.goto(url);
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.notEqual(await ground(), light);
  });

  describe('an entry of the ledger', () => {
    test('that is valid is verified step by step', async () => {
      const { page } = await openPage(browser, { viewport: PHONE });
      await page.goto(`${url}/ledger/${forecast}`);
      await page.locator('.verified.right').waitFor();
      assert.equal(await page.locator('ol.steps li.right').count(), 6);
      assert.match(
        (await page.locator('.verified').textContent()) ?? '',
        /^verified here.* written: as history of the simulated city\.$/,
      );
    });

    const tampered: [what: string, alter: (proof: Record<string, unknown>) => void, step: string][] = [
      ['payload', (proof) => Object.assign(proof.payload as object, { confidence: 0.999 }), 'payload'],
      ['proof', (proof) => Object.assign(proof.proof as string[], { 0: '0'.repeat(64) }), 'checkpoint'],
    ];
    for (const [what, alter, step] of tampered) {
      test(`whose ${what} was tampered with is refused`, async () => {
        const { page } = await openPage(browser, { viewport: PHONE });
        await page.route('**/api/ledger/proof/**', async (route) => {
          const proof = await (await route.fetch()).json();
          alter(proof);
          await route.fulfill({ json: proof });
        });
        await page.goto(`${url}/ledger/${forecast}`);
        await page.locator('.verified.wrong').waitFor();
        assert.match((await page.locator('.verified').textContent()) ?? '', /^refused/);
        assert.equal(await page.locator('li.wrong').getAttribute('data-step'), step);
      });
    }
  });

  describe('the script', () => {
    test('lets a chart be read with pointer and keys', async () => {
      const { page } = await openPage(browser, { viewport: DESKTOP });
      await page.goto(`${url}/pocket/holland`);
      const chart = page.locator('figure.chart svg');
      const readout = page.locator('.readout');
      await chart.hover();
      assert.match(
        (await readout.textContent()) ?? '',
        /^\d\d:\d\d SGT · calm level \d[\d.]* · stress \d[\d.]* · /,
      );
      await chart.focus();
      await page.keyboard.press('End');
      assert.match((await readout.textContent()) ?? '', /perhaps/);
      await page.keyboard.press('Home');
      assert.match((await readout.textContent()) ?? '', /^12:15 SGT/);
    });

    test('sorts tables by what is clicked', async () => {
      const { page } = await openPage(browser, { viewport: DESKTOP });
      await page.goto(`${url}/accuracy`);
      const table = page.locator('table', {
        has: page.locator('caption', { hasText: 'accuracy by pocket' }),
      });
      const figures = async () =>
        (await table.locator('tbody td:nth-child(3)').allTextContents()).map(Number.parseFloat);
      await table.getByRole('button', { name: 'came true' }).click();
      const up = await figures();
      assert.ok(up.length > 10);
      assert.deepEqual(
        up,
        up.toSorted((a, b) => a - b),
      );
      await table.getByRole('button', { name: 'came true' }).click();
      assert.deepEqual(await figures(), up.toReversed());
    });

    test('reads a live page again when a new reading is due', async () => {
      const { page, browserErrors } = await openPage(browser, { viewport: PHONE });
      await page.clock.install({ time: new Date('2026-11-11T04:01:00Z') });
      await page.goto(url);
      // At the first request the new reading is not there yet.
      let requests = 0;
      await page.route(`${url}/`, async (route) => {
        const reply = await route.fetch();
        const text = await reply.text();
        requests += 1;
        const body = requests === 1 ? text : text.replace(/<h1>[^<]*/, '<h1>something new');
        await route.fulfill({ response: reply, body });
      });
      await page.clock.fastForward('13:00');
      assert.equal(requests, 0);
      await Promise.all([page.waitForResponse(`${url}/`), page.clock.fastForward('02:00')]);
      for (let tries = 0; requests < 2 && tries < 40; tries++) await page.clock.runFor(2_000);
      await page.locator('h1', { hasText: 'something new' }).waitFor();
      assert.equal(requests, 2);
      assert.deepEqual(browserErrors, []);
    });
  });

  test('the pages work without JavaScript', async () => {
    const { page } = await openPage(browser, { viewport: PHONE, javaScriptEnabled: false });
    await page.goto(url);
    assert.equal(await page.locator('table.pockets tbody tr').count(), 18);
    await page.getByRole('link', { name: 'calm level', exact: true }).click();
    assert.match(page.url(), /sort=calm/);
    assert.equal(await page.locator('th[aria-sort="descending"]').textContent(), 'calm level');
    await page.locator('table.pockets tbody th a').first().click();
    assert.ok(await page.locator('figure.chart path.line.calm').isVisible());
    await page.locator('figure.chart summary').click();
    assert.ok(await page.locator('figure.chart tbody tr').first().isVisible());
    await page.goto(`${url}/ledger/${forecast}`);
    assert.match((await page.locator('.verified').textContent()) ?? '', /by hand/);
    assert.match((await page.locator('pre.wrap').textContent()) ?? '', /^printf '%s' '\{.*\}' \| sha256sum$/);
  });
});

async function idOf(address: string, list: string): Promise<string> {
  const body = (await (await fetch(address)).json()) as Record<string, { id: string }[]>;
  return body[list]?.[0]?.id ?? '';
}
