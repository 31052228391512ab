// The pages in a real browser: what the script adds, and the pages without it. Errors, layout and accessibility of every
// page are in conditions.test.ts.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { noBrowser, openPage, type SharedTab } from '../support/browser/browser.ts';
import { ordinaryDay, sharedBrowser, sharedTabs } from '../support/browser/shared-browser.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };

/** In the page: how many requests of its script are on their way, until their text was read. */
const countRequests = `
  globalThis.underWay = 0;
  const { fetch: request } = globalThis;
  globalThis.fetch = async (...args) => {
    globalThis.underWay += 1;
    const end = () => void (globalThis.underWay -= 1);
    const response = await request(...args).catch((error) => { end(); throw error; });
    const text = response.text.bind(response);
    response.text = () => text().finally(end);
    return response;
  };`;

describe('in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  let tab: SharedTab;
  let tabWithoutScript: SharedTab;
  let url: string;
  let forecast: string;
  let silence: string;
  before(async () => {
    ({ url } = await ordinaryDay());
    forecast = await fetchFirstId(`${url}/api/predictions?pocket=holland&revealed=only&limit=1`, 'entries');
    silence = await fetchFirstId(`${url}/api/explanations?decision_type=silence&limit=1`, 'items');
    browser = await sharedBrowser();
    ({ tab, tabWithoutScript } = await sharedTabs());
  });

  test('the skip link is focused first, and leads to the content', async () => {
    const { page } = await tab(PHONE);
    await page.goto(url);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').textContent(), 'Skip to the content');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  });

  test('the colours follow the visitor’s scheme', async () => {
    const { page } = await tab(PHONE);
    await page.goto(url);
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.notEqual(await ground(), light);
  });

  test('the search suggests every name of the city, and the place that another name stands for', async () => {
    const { page } = await tab(PHONE);
    await page.goto(url);
    const suggested = page.locator('#names option');
    const before = await suggested.count();
    await page.getByLabel('Find a place').focus();
    await page
      .locator('#names option[value="cluny park"][label="Cluny Court"]')
      .waitFor({ state: 'attached' });
    assert.ok((await suggested.count()) > 2 * before);
  });

  test('a weekday of the usual bars is chosen with keys, and needs no script', async () => {
    const { page } = await tabWithoutScript(PHONE);
    await page.goto(`${url}/pocket/holland`);
    const shown = page.locator('.usual-bars fieldset > div:visible');
    assert.match((await shown.textContent()) ?? '', /^Wednesday, today\./);
    const [before] = await shown.locator('svg').all();
    assert.equal(await before?.getAttribute('aria-label'), 'Usual Wednesday by hour, with today on top');
    await page.getByRole('radio', { name: 'Wednesday, today' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.match((await shown.textContent()) ?? '', /^Thursday\./);
    await page.locator('label', { hasText: 'Mon' }).click();
    assert.match((await shown.textContent()) ?? '', /^Monday\./);
    // The axes of the weekday that was shown first are drawn here too.
    const axes = await shown.locator('use').boundingBox();
    assert.ok((axes?.width ?? 0) > 200, `the axes are ${axes?.width} wide`);
  });

  describe('an entry of the ledger', () => {
    test('that is valid is verified step by step', async () => {
      const { page } = await tab(PHONE);
      await page.goto(`${url}/ledger/${forecast}`);
      await page.locator('.verified.right').waitFor();
      assert.equal(await page.locator('ol.steps li.right').count(), 6);
      assert.match(
        (await page.locator('.verified').textContent()) ?? '',
        /^Verified in this browser.* Written as history of the simulated city\.$/,
      );
    });

    const tampered: [what: string, alter: (proof: Record<string, unknown>) => void, step: string][] = [
      ['payload', (proof) => Object.assign(proof.payload as object, { confidence: 0.999 }), 'payload'],
      ['proof', (proof) => Object.assign(proof.proof as string[], { 0: '0'.repeat(64) }), 'checkpoint'],
    ];
    for (const [what, alter, step] of tampered) {
      test(`whose ${what} was tampered with is refused`, async () => {
        const { page } = await tab(PHONE);
        await page.route('**/api/ledger/proof/**', async (route) => {
          const proof = await (await route.fetch()).json();
          alter(proof);
          await route.fulfill({ json: proof });
        });
        await page.goto(`${url}/ledger/${forecast}`);
        await page.locator('.verified.wrong').waitFor();
        assert.match((await page.locator('.verified').textContent()) ?? '', /^Refused/);
        assert.equal(await page.locator('li.wrong').getAttribute('data-step'), step);
      });
    }
  });

  describe('the script', () => {
    test('lets a chart be read with pointer and keys', async () => {
      const { page } = await tab(DESKTOP);
      await page.goto(`${url}/pocket/holland`);
      const figure = page.locator('figure.chart').first();
      const chart = figure.locator('svg');
      const readout = figure.locator('.readout');
      await chart.hover();
      assert.match(
        (await readout.textContent()) ?? '',
        /^\d\d:\d\d · Calm level \d[\d.]* · Usual \d[\d.]* · State /,
      );
      await chart.focus();
      await page.keyboard.press('End');
      // The day ends with what is usual; the forecasts come before it.
      assert.match((await readout.textContent()) ?? '', /Usual, not a forecast$/);
      await page.keyboard.press('Home');
      assert.match((await readout.textContent()) ?? '', /^00:00 · /);
    });

    test('sorts tables by what is clicked', async () => {
      const { page } = await tab(DESKTOP);
      await page.goto(`${url}/accuracy/pockets`);
      const table = page.locator('table', {
        has: page.locator('caption', { hasText: 'Accuracy by pocket' }),
      });
      const figures = async () =>
        (await table.locator('tbody td:nth-child(3)').allTextContents()).map(Number.parseFloat);
      await table.getByRole('button', { name: 'Came true' }).click();
      const up = await figures();
      assert.ok(up.length > 10);
      assert.deepEqual(
        up,
        up.toSorted((a, b) => a - b),
      );
      await table.getByRole('button', { name: 'Came true' }).click();
      assert.deepEqual(await figures(), up.toReversed());
    });

    test('reads a live page again when a new reading is due', async () => {
      // A tab of its own: the clock cannot be taken out again.
      const { page, browserErrors } = await openPage(browser, { viewport: PHONE });
      await page.clock.install({ time: new Date('2026-11-11T04:01:00Z') });
      await page.addInitScript(countRequests);
      await page.goto(url);
      // At the first request the new reading is not there yet.
      let requests = 0;
      await page.route(`${url}/`, async (route) => {
        requests += 1;
        const isFirst = requests === 1;
        const reply = await route.fetch();
        const text = await reply.text();
        const body = isFirst ? text : text.replace(/<span data-now>[^<]*/, '<span data-now>something new');
        await route.fulfill({ response: reply, body });
      });
      await page.clock.fastForward('13:00');
      assert.equal(requests, 0);
      await page.clock.fastForward('02:00');
      // The page waits by its own clock, also after the answer has come. While one is on its way the clock stands
      // still: a page gives up on an answer after some seconds, which a busy machine would make of a few steps.
      const heading = page.locator('h1', { hasText: 'something new' });
      for (let tries = 0; !(await heading.isVisible()) && tries < 600; tries++) {
        if (await page.evaluate('underWay > 0')) await sleep(50);
        else await page.clock.runFor(2_000);
      }
      await heading.waitFor();
      assert.equal(requests, 2);
      assert.deepEqual(browserErrors, []);
      await page.context().close();
    });
  });

  test('a live page that is read again keeps the weekday that was chosen', async () => {
    const { page } = await openPage(browser, { viewport: PHONE });
    await page.clock.install({ time: new Date('2026-11-11T04:01:00Z') });
    await page.goto(`${url}/pocket/holland`);
    await page.locator('label', { hasText: 'Mon' }).click();
    await page.evaluate('document.activeElement.blur()');
    await page.route(`${url}/pocket/holland`, async (route) => {
      const reply = await route.fetch();
      const body = (await reply.text()).replace(/<h1>[^<]*/, '<h1>something new');
      await route.fulfill({ response: reply, body });
    });
    await Promise.all([page.waitForResponse(`${url}/pocket/holland`), page.clock.fastForward('15:00')]);
    await page.locator('h1', { hasText: 'something new' }).waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Monday' }).isChecked());
    await page.context().close();
  });

  describe('API docs', () => {
    const SMALL_PHONE = { width: 360, height: 800 };

    test('an address is asked from its page: status, time, size, answer and command', async () => {
      const { page, browserErrors } = await tab(SMALL_PHONE);
      await page.goto(`${url}/docs/api/atmosphere`);
      await page.getByLabel('pocket required').fill('holland');
      await page.getByLabel('hours').fill('2');
      const command = page.locator('pre[data-for]').first();
      assert.match((await command.textContent()) ?? '', /\/api\/atmosphere\?pocket=holland&hours=2'$/);
      // The whole form can be used with the keyboard.
      await page.getByLabel('hours').press('Tab');
      await page.keyboard.press('Enter');
      const answer = page.locator('pre.reply').first();
      await answer.waitFor();
      assert.match(
        (await page.locator('.copyable + [role=status]').textContent()) ?? '',
        /^200 OK · \d+ ms · \d+ bytes · application\/json/,
      );
      assert.equal(JSON.parse((await answer.textContent()) ?? '').window_hours, 2);
      const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(wider, 0);
      await page.getByLabel('hours').fill('99');
      assert.equal(await page.evaluate('document.querySelector("form.try").checkValidity()'), false);
      assert.deepEqual(browserErrors, []);
    });

    test('a parameter of the path, and a body, are sent too', async () => {
      const { page, browserErrors } = await tab(DESKTOP);
      await page.goto(`${url}/docs/api/explanations/id`);
      await page.getByLabel('id').fill(silence);
      await page.getByRole('button', { name: 'Send' }).click();
      const answer = page.locator('pre.reply').first();
      await answer.waitFor();
      assert.equal(JSON.parse((await answer.textContent()) ?? '').id, silence);
      await page.goto(`${url}/docs/api/legitimacy`);
      await page
        .getByLabel('Body, as JSON')
        .fill('{"pocket_id": "holland",\n "candidate_action": "it\'s tea"}');
      assert.match((await page.locator('pre[data-for]').textContent()) ?? '', /-d '\{.*it'\\''s tea"\}'$/);
      await page.getByRole('button', { name: 'Send' }).click();
      await answer.waitFor();
      assert.equal(JSON.parse((await answer.textContent()) ?? '').candidate_action, "it's tea");
      assert.deepEqual(browserErrors, []);
    });

    test('the search answers while somebody types, and can be linked to', async () => {
      const { page } = await tab(SMALL_PHONE);
      await page.goto(`${url}/docs`);
      await page.getByRole('searchbox').pressSequentially('fragility');
      await page.getByText(/^\d+ addresses and \d+ tools? for “fragility”/).waitFor();
      assert.match(page.url(), /\/docs\?q=fragility$/);
      assert.ok(await page.locator('a[href="/docs/api/moment"]').isVisible());
    });

    test('without JavaScript the forms are ordinary ones', async () => {
      const { page } = await tabWithoutScript(SMALL_PHONE);
      await page.goto(`${url}/docs`);
      await page.getByRole('searchbox').fill('movement_friction');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('a[href="/docs/api/moment"]').click();
      await page.getByLabel('pocket required').fill('holland');
      await page.getByRole('button', { name: 'Send' }).click();
      assert.match(page.url(), /\/api\/moment\?pocket=holland$/);
      await page.goto(`${url}/docs/api/explanations/id`);
      await page.getByLabel('id').fill(silence);
      await page.getByRole('button', { name: 'Send' }).click();
      assert.ok((await page.locator('pre.reply').textContent())?.includes(silence));
    });
  });

  test('the pages work without JavaScript', async () => {
    const { page } = await tabWithoutScript(PHONE);
    await page.goto(url);
    assert.equal(await page.locator('ol.places > li').count(), 18);
    await page.getByLabel('Order').selectOption('name');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/order=name/);
    await page.locator('svg.map a[href="#p-holland"] .hit').click();
    assert.match(page.url(), /#p-holland$/);
    await page.locator('ol.places h3 a').first().click();
    assert.ok(await page.locator('figure.chart path.line.calm').isVisible());
    await page.locator('figure.chart summary').first().click();
    assert.ok(await page.locator('figure.chart tbody tr').first().isVisible());
    await page.goto(`${url}/ledger/${forecast}`);
    assert.match((await page.locator('.verified').textContent()) ?? '', /by hand/);
    assert.match((await page.locator('pre.wrap').textContent()) ?? '', /^printf '%s' '\{.*\}' \| sha256sum$/);
  });
});

async function fetchFirstId(address: string, list: string): Promise<string> {
  const body = (await (await fetch(address)).json()) as Record<string, { id: string }[]>;
  return body[list]?.[0]?.id ?? '';
}
