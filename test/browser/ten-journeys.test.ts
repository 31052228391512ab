// Ten questions that people come with, each answered within so many clicks, on a phone and on a desktop, by day and by
// night. Each is asked at two of the four hours, on a phone at the first and on a desktop at the second; JOURNEYS=all asks
// it on both at all of them (`npm run judge` does).
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { DAY, HOUR, MINUTE } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { accessibilityFaults, noBrowser, openSharedTab, type SharedTab } from '../support/browser/browser.ts';
import { sharedBrowser } from '../support/browser/shared-browser.ts';
import { NOON, serviceFor, type startService } from '../support/services/service.ts';

const PHONE = { width: 360, height: 780 };
const viewports = [PHONE, { width: 1280, height: 900 }];
const ALL = process.env.JOURNEYS === 'all';
/** Times of the day before noon of the test, in their order: pages are cached until the next quarter hour. */
const hours: Record<string, number> = {
  '15:00': NOON - 21 * HOUR + 4 * MINUTE,
  '23:50': NOON - 12 * HOUR - 10 * MINUTE,
  '03:00': NOON - 9 * HOUR + 4 * MINUTE,
  '09:00': NOON - 3 * HOUR + 4 * MINUTE,
};

interface Visit {
  page: Page;
  url: string;
  now: number;
  /** Clicks, and counts it. */
  click(target: Locator): Promise<void>;
}
interface Question {
  name: string;
  clicks: number;
  /** The hour for the phone, and that for the desktop. */
  at: [string, string];
  /** Whether the answer depends so much on the width that both are looked at, at both hours. */
  isMeasured?: true;
  make(visit: Visit): Promise<void>;
}

const text = async (locator: Locator): Promise<string> =>
  ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim();
const main = (page: Page): Locator => page.locator('main');
const isNight = (now: number): boolean => {
  const hour = singapore.hourOfDay(now);
  return hour < 7 || hour >= 23;
};

const questions: Question[] = [
  {
    name: 'should I go now, or when',
    clicks: 1,
    at: ['03:00', '15:00'],
    isMeasured: true,
    make: async ({ page, url, now, click }) => {
      await page.goto(url);
      const answer = page.locator('.hero .answer');
      const box = await answer.boundingBox();
      assert.ok(box && box.y + box.height <= 780, 'the answer is in the first screen');
      const said = await text(answer);
      assert.match(said, isNight(now) ? /Most places are closed/ : /calm \(\d+(?:\.\d+)? %\)|calm from/i);
      assert.doesNotMatch(said, /\d{2,} minutes|0\.\d{3}/);
      const link = page.locator('.hero h1 a, .hero .answer a').first();
      if (await link.count()) await click(link);
      else await click(page.locator('ol.places h3 a').first());
      const glance = await text(page.locator('.glance .advice'));
      assert.ok(glance.length > 10);
      if (!isNight(now) && (await page.locator('.glance').count())) assert.equal(glance, said);
    },
  },
  {
    name: 'a calm place to work this afternoon near me',
    clicks: 1,
    at: ['09:00', '23:50'],
    make: async ({ page, url, click }) => {
      await page.context().grantPermissions(['geolocation']);
      await page.context().setGeolocation({ latitude: 1.3066, longitude: 103.7903 });
      await page.goto(url);
      await page.locator('select[name=at]').selectOption('15');
      await page.locator('select[name=order]').selectOption('near');
      await page.locator('select[name=intent]').selectOption({ label: await workIntent(page) });
      await click(page.locator('form.ask button').first());
      await page.waitForURL(/order=near/);
      assert.match(page.url(), /at=15/);
      assert.doesNotMatch(page.url(), /1\.3066|103\.79/, 'the position stays in the browser');
      const rows = page.locator('ol.places > li');
      if (!(await rows.count())) return assert.match(await text(page.locator('h1')), /suits that/);
      await page.locator('.far').first().waitFor();
      assert.match(await text(page.locator('h1')), /15:00/);
      assert.equal(
        await page.locator('select[name=at]').inputValue(),
        '15',
        'the form shows what is answered',
      );
    },
  },
  {
    name: 'compare three for saturday morning',
    clicks: 3,
    at: ['03:00', '09:00'],
    make: async ({ page, url, click }) => {
      await page.goto(url);
      await click(page.locator('header nav a', { hasText: 'Compare' }));
      await click(page.locator('form.chooser input:not(:checked)').first());
      const saturday = page.locator('select[name=day] option', { hasText: 'Saturday' });
      await page.locator('select[name=day]').selectOption((await saturday.getAttribute('value')) ?? '');
      await page.locator('select[name=at]').selectOption('10');
      await click(page.locator('form.chooser button'));
      assert.equal(await page.locator('table.compared thead th').count(), 4);
      assert.match(await text(page.locator('.lead')), /Saturday at 10:00/);
      assert.equal(await page.locator('select[name=at]').inputValue(), '10');
    },
  },
  {
    name: 'why was it silent yesterday evening',
    clicks: 3,
    at: ['09:00', '03:00'],
    make: async ({ page, url, now, click }) => {
      await page.goto(`${url}/?q=holland`);
      await click(page.locator('.hero h1 a, ol.places h3 a').first());
      const yesterday = singapore.localDate(now - DAY);
      await click(
        page.locator(`#calendar ~ * a[href$="/${yesterday}"], main a[href$="/${yesterday}"]`).first(),
      );
      const evening = page
        .locator('ol.decisions li', { hasText: /1[89]:|2[012]:/ })
        .locator('a')
        .first();
      await click(evening);
      assert.match(await text(main(page)), /The reason|Every gate was open|Why/);
    },
  },
  {
    name: 'are the forecasts any good',
    clicks: 1,
    at: ['15:00', '23:50'],
    make: async ({ page, url, click }) => {
      await page.goto(url);
      await click(page.locator('header nav a', { hasText: 'Accuracy' }));
      assert.match(await text(main(page)), /same hour (?:last week|of the week before)/i);
      assert.ok(await page.locator('#windows').count());
    },
  },
  {
    name: 'check a seal',
    clicks: 2,
    at: ['09:00', '15:00'],
    make: async ({ page, url, click }) => {
      await page.goto(`${url}/pocket/holland`);
      await click(page.locator('.forecasts a').first());
      assert.match(page.url(), /\/ledger\/holland-/);
      assert.match(await text(main(page)), /[0-9a-f]{64}/);
    },
  },
  {
    name: 'a merchant’s week',
    clicks: 3,
    at: ['09:00', '03:00'],
    make: async ({ page, url, click }) => {
      await page.goto(url);
      await click(page.locator('header nav a', { hasText: 'Places' }));
      await click(page.locator('main a[href^="/outlet/"]').first());
      assert.match(await text(main(page)), /week/i);
    },
  },
  {
    name: 'a first call of the API',
    clicks: 3,
    at: ['15:00', '03:00'],
    make: async ({ page, url, click }) => {
      await page.goto(url);
      await click(page.locator('header nav a', { hasText: 'Developers' }));
      await click(page.locator('main a[href^="/docs/"]').first());
      assert.match(await text(main(page)), /curl|GET/);
      const reply = await page.request.get(`${url}/api/windows?limit=1`);
      assert.equal(reply.status(), 200);
    },
  },
  {
    name: 'embed and subscribe',
    clicks: 1,
    at: ['09:00', '23:50'],
    make: async ({ page, url, click }) => {
      await page.goto(`${url}/pocket/holland`);
      assert.ok(await page.locator('.glance a[href^="webcal:"]').count());
      await click(page.locator('.glance a', { hasText: 'Share or embed' }));
      assert.match(await text(main(page)), /iframe/);
    },
  },
  {
    name: 'is it running, and what happened',
    clicks: 1,
    at: ['15:00', '03:00'],
    make: async ({ page, url, click }) => {
      await page.goto(url);
      await click(page.locator('footer a', { hasText: 'Status' }).first());
      assert.match(await text(page.locator('h1')), /\w+/);
      assert.ok(await page.locator('.days').count());
    },
  },
];

async function workIntent(page: Page): Promise<string> {
  const options = await page.locator('select[name=intent] option').allTextContents();
  return options.find((title) => /work/i.test(title)) ?? assert.fail(options.join());
}

/** By the browser's own clock no time has passed since the hour before. */
async function withoutCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
}

describe('ten questions', { skip: noBrowser }, () => {
  let tab: SharedTab;
  let site: Awaited<ReturnType<typeof startService>>;
  // One of its own, because its clock is set. In the afternoon yesterday evening is two days before the noon of the store.
  const service = serviceFor(async () => ({ days: ALL ? 2 : 1 }));
  before(async () => {
    site = service();
    tab = await openSharedTab(await sharedBrowser());
    await withoutCache((await tab(PHONE)).page);
  });

  for (const [hour, now] of Object.entries(hours))
    for (const { name, clicks, at, isMeasured, make } of questions)
      for (const [n, viewport] of viewports.entries()) {
        if (!(ALL || (isMeasured ? at.includes(hour) : at[n] === hour))) continue;
        test(`${name}, at ${hour}, ${viewport.width} wide`, async () => {
          site.clock.now = now;
          const { page, browserErrors } = await tab(viewport);
          let made = 0;
          const click = async (target: Locator) => {
            made += 1;
            await target.click();
            await page.waitForLoadState();
          };
          await make({ page, url: site.url, now, click });
          assert.ok(made <= clicks, `${made} clicks`);
          assert.deepEqual(browserErrors, []);
          assert.deepEqual(await accessibilityFaults(page), []);
          const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok((wider as number) <= 0, `${page.url()} is ${wider} too wide`);
        });
      }
});
