// Pages for developers in a real browser. The face of code, and the buttons that copy it, are looked at on every page, in
// conditions.test.ts.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { accessibilityFaults, noBrowser, type SharedTab } from '../support/browser/browser.ts';
import { ordinaryDay, sharedTabs } from '../support/browser/shared-browser.ts';

const PHONE = { width: 360, height: 780 };
/** Of /docs on a phone, before anything is opened. It was 30,924 while nothing was folded up. */
const MOST_HEIGHT = 7_500;

describe('pages for developers', { skip: noBrowser }, () => {
  let tab: SharedTab;
  let tabWithoutScript: SharedTab;
  let started: Awaited<ReturnType<typeof ordinaryDay>>;
  before(async () => {
    started = await ordinaryDay();
    ({ tab, tabWithoutScript } = await sharedTabs());
  });

  test('a button copies with the keyboard, and says so', async () => {
    const { page, browserErrors } = await tab(PHONE);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${started.url}/mcp`);
    const part = page.locator('section.card', { hasText: 'Cursor' }).first();
    await part.getByRole('button', { name: 'Copy: Cursor' }).focus();
    await page.keyboard.press('Enter');
    await part.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      await part.locator('pre').textContent(),
    );
    assert.deepEqual(browserErrors, []);
    assert.deepEqual(await accessibilityFaults(page), []);
  });

  test('without a clipboard the text is selected', async () => {
    const { page } = await tab(PHONE);
    await page.goto(`${started.url}/docs`);
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    const part = page.locator('#calm-now .in-curl');
    await part.getByRole('button', { name: /^Copy/ }).click();
    await part.getByText('Selected: copy it with your keyboard').waitFor();
    assert.equal(await page.evaluate('String(getSelection())'), await part.locator('pre').textContent());
  });

  test('without scripts there is no button and no promise of one', async () => {
    const { page } = await tabWithoutScript(PHONE);
    for (const path of ['/mcp', '/docs', '/docs/api/legitimacy', '/share/holland', '/benchmark']) {
      await page.goto(started.url + path);
      assert.equal(await page.locator('button.copy:visible').count(), 0, path);
      assert.doesNotMatch((await page.locator('main').innerText()) ?? '', /copy button|press copy/i, path);
    }
  });

  describe('/docs', () => {
    const isOpen = (part: Locator): Promise<boolean> =>
      part.evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));

    test('is short at first sight, and one language holds for all programs, without a script', async () => {
      const { page } = await tabWithoutScript(PHONE);
      await page.goto(`${started.url}/docs`);
      const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
      assert.ok(height <= MOST_HEIGHT, `${height} px`);
      assert.equal(await page.locator('.call pre.wrap:visible').count(), 5);
      await page.getByRole('radio', { name: 'curl' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.locator('.in-python pre:visible').count(), 5);
      assert.equal(await page.locator('.in-curl pre:visible').count(), 0);
    });

    for (const [name, open] of [
      ['with a script', () => tab(PHONE)],
      ['without one', () => tabWithoutScript(PHONE)],
    ] as const)
      test(`a link opens what it asks for, ${name}`, async () => {
        const { page } = await open();
        await page.goto(`${started.url}/docs#get_pocket_futures`);
        const asked = page.locator('#get_pocket_futures');
        await asked.waitFor({ state: 'visible' });
        assert.ok(await isOpen(asked));
        assert.equal(await isOpen(page.locator('#get_trust_report')), false);
        await page.locator('.contents a', { hasText: 'How far to trust it' }).click();
        await page.locator('#how-far-to-trust-it').waitFor({ state: 'visible' });
        assert.ok(await isOpen(page.locator('#how-far-to-trust-it')));
      });

    test('a search within the page opens what it finds', async () => {
      const { page } = await tab(PHONE);
      await page.goto(`${started.url}/docs`);
      const folded = page.locator('#get_pocket_futures');
      assert.equal(await isOpen(folded), false);
      // As the browser's own search does, it looks into what is folded up.
      await page.goto('about:blank');
      await page.goto(`${started.url}/docs#:~:text=how%20a%20pocket%20is%20likely%20to%20feel`);
      await page.waitForFunction("document.querySelector('#get_pocket_futures').closest('details').open");
      assert.ok(await isOpen(folded));
    });

    test('in print everything is open, in all languages', async () => {
      const { page } = await tab(PHONE);
      await page.goto(`${started.url}/docs`);
      await page.emulateMedia({ media: 'print' });
      assert.ok(await isOpen(page.locator('#get_pocket_futures')));
      assert.equal(await page.locator('.call pre.wrap:visible').count(), 15);
      await page.emulateMedia({ media: null });
    });

    test('has no id twice, and no fault when all is open', async () => {
      const { page } = await tab(PHONE);
      await page.goto(`${started.url}/docs`);
      const ids = (await page.evaluate(
        "[...document.querySelectorAll('[id]')].map(({ id }) => id)",
      )) as string[];
      assert.deepEqual(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        [],
      );
      await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
      assert.deepEqual(await accessibilityFaults(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
    });
  });
});
