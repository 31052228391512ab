// Every page on a phone and on a desktop: what it weighs, that nothing moves while it loads, that nothing is cut off or
// too small to read. Charts answer where they are tapped, and the site can be installed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openPage, startBrowser } from '../support/browser/browser.ts';
import {
  checkPage,
  type PageAddresses,
  pageAddresses,
  recordedVisit,
} from '../support/browser/page-visits.ts';
import { monthService } from '../support/services/month.ts';

const MOST_BYTES = 100_000;
/** So high that what moves further down a page is seen too. */
const HEIGHT = 4_000;
const PHONE = { width: 360, height: 780 };

const { url } = await monthService();

describe('every page', { skip: noBrowser }, () => {
  let browser: Browser;
  let page: Page;
  let addresses: PageAddresses;
  before(async () => {
    addresses = await pageAddresses(url, [
      '/compare?pockets=holland,siglap,cluny,dempsey',
      '/reports/pocket/holland/2026-10',
    ]);
    browser = await startBrowser();
    ({ page } = await openPage(browser));
  });
  after(() => browser.close());

  test('is visited', () => assert.deepEqual(addresses.missing, []));

  for (const width of [360, 1280])
    test(`at ${width} px: at most 100 KB, painted from one reply, nothing moves, no text is cut off, that of charts is readable`, async () => {
      await page.goto('about:blank');
      await page.setViewportSize({ width, height: HEIGHT });
      for (const address of addresses.found.values()) {
        await page.goto(url + address);
        const { bytes, renderBlocking, layoutShift, moved } = await recordedVisit(page);
        assert.ok(bytes <= MOST_BYTES, `${address} has ${bytes} bytes`);
        assert.deepEqual(renderBlocking, [], `${address} is painted without any other file`);
        assert.equal(layoutShift, 0, `${address} moves ${moved[0]}`);
        assert.deepEqual(await checkPage(page, 'textFaults'), [], address);
        assert.deepEqual(await checkPage(page, 'wideTables'), [], address);
        assert.deepEqual(await checkPage(page, 'brokenWords'), [], address);
      }
    });

  test('a chart shows the figures of the place that is tapped', async () => {
    const { page } = await openPage(browser, { viewport: PHONE, hasTouch: true, isMobile: true });
    for (const address of ['/pocket/holland', '/accuracy', '/silence', '/status']) {
      await page.goto(url + address);
      for (const [figureAt, figure] of (await page.locator('figure.chart').all()).entries())
        for (const [svgAt, svg] of (await figure.locator('svg').all()).entries())
          for (const share of [0.3, 0.8]) {
            const { width = 0, height = 0 } = (await svg.boundingBox()) ?? {};
            await svg.tap({ position: { x: share * width, y: height / 2 } });
            const [nearest, shown] = await checkPage<string[]>(page, 'figuresAt', figureAt, svgAt, share);
            assert.ok(nearest && shown?.startsWith(`${nearest} · `), `${address}: ${nearest}, not ${shown}`);
          }
    }
  });

  test('belongs to a site that can be installed', async () => {
    await page.setViewportSize(PHONE);
    await page.goto(url);
    const devtools = await page.context().newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const manifest = JSON.parse(data ?? '{}') as Record<string, unknown>;
    for (const field of ['id', 'name', 'short_name', 'start_url', 'theme_color', 'background_color'])
      assert.ok(manifest[field], field);
    assert.equal(manifest.display, 'standalone');
    const icons = (manifest.icons as { sizes: string; type: string; purpose?: string }[])
      .filter(({ type }) => type === 'image/png')
      .map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`);
    assert.deepEqual(icons, ['192x192 any', '512x512 any', '512x512 maskable']);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    const faults = installabilityErrors.map(({ errorId }) => errorId);
    // The browser of a test has no profile that an app could be installed in.
    assert.deepEqual(
      faults.filter((fault) => fault !== 'in-incognito'),
      [],
    );
  });
});
