import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessibilityFaults } from '../../support/browser/browser.ts';
import type { Journey } from './journey.ts';

export const journeys: readonly Journey[] = [
  {
    name: 'copy the card of a pocket and see it on another site',
    make: async ({ page, url, service }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${url}/share/holland`);
      assert.deepEqual(await accessibilityFaults(page), []);
      const snippet = page.locator('.snippet', { hasText: 'Card, as HTML' });
      await snippet.getByRole('button', { name: 'Copy' }).click();
      await snippet.getByText('Copied').waitFor();
      // Snippets have the public address; this service is reached at its own.
      const copied = (await page.evaluate<string>('navigator.clipboard.readText()')).replace(
        service.baseUrl,
        url,
      );
      const other = createServer((_request, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><html lang="en"><title>Another site</title><h1>News</h1>${copied}</html>`),
      ).listen(0, '127.0.0.1');
      try {
        await once(other, 'listening');
        await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
        const card = page.frameLocator('iframe');
        assert.match((await card.locator('h1').textContent()) ?? '', /Holland/);
        assert.match(
          (await card.locator('.figure').textContent()) ?? '',
          /calm \((?:under )?[\d.]+\u00a0%\)/i,
        );
        const overflow = await card
          .locator('html')
          .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
        assert.ok(overflow <= 0, `the card is ${overflow} px higher than its frame`);
      } finally {
        other.close();
      }
      // No other page may be framed.
      const { headers } = await fetch(`${url}/pocket/holland`);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    },
  },
  {
    name: 'subscribe to the calendar of a pocket from its page, in another service',
    make: async ({ page, url, service }) => {
      const file = `${service.baseUrl}/pocket/holland/calm.ics`;
      const asked = { google: '', outlook: '' };
      await page.route(/^https:\/\/(?:calendar\.google|outlook\.live)\.com\//, (route) => {
        const { hostname, searchParams } = new URL(route.request().url());
        if (hostname === 'calendar.google.com') asked.google = searchParams.get('cid') ?? '';
        else asked.outlook = searchParams.get('url') ?? '';
        return route.fulfill({ contentType: 'text/html', body: '<title>Calendar</title>' });
      });
      for (const words of ['Add to Google Calendar', 'Add to Outlook']) {
        await page.goto(`${url}/pocket/holland`);
        await page.getByRole('link', { name: words }).click();
        await page.waitForFunction("document.title === 'Calendar'");
      }
      assert.deepEqual(asked, { google: file.replace(/^https?/, 'webcal'), outlook: file });
      await page.goto(`${url}/share/holland`);
      const own = page.getByRole('link', { name: 'Subscribe in a calendar' });
      assert.equal(await own.getAttribute('href'), file.replace(/^https?/, 'webcal'));
    },
  },
  {
    name: 'open saved pages without a connection, marked as old',
    on: ['phone'],
    make: async ({ page, url }) => {
      const browser = page.context().browser();
      assert.ok(browser);
      const context = await browser.newContext({
        viewport: page.viewportSize() ?? null,
        serviceWorkers: 'allow',
      });
      try {
        const visit = await context.newPage();
        await visit.goto(`${url}/`);
        // The worker has taken over once it controls the page; it saves the open page, and what is visited from then on.
        await visit.evaluate(
          `new Promise((done) => navigator.serviceWorker.controller ? done() : navigator.serviceWorker.addEventListener('controllerchange', () => done(), { once: true }))`,
        );
        const untilSaved =
          '(async () => { while (!(await caches.match(location.href))) await new Promise((next) => setTimeout(next, 20)); })()';
        await visit.evaluate(untilSaved);
        await visit.goto(`${url}/pocket/holland`);
        await visit.evaluate(untilSaved);
        await context.setOffline(true);
        await visit.reload();
        const note = visit.locator('.outage');
        assert.match(
          (await note.textContent()) ?? '',
          /^You are offline\. This page was saved (?:less than a|\d) minutes? ago, at \d\d:\d\d\. What it said about the present is hidden\.$/,
        );
        assert.ok(await visit.locator('figure.chart').first().isVisible(), 'the record is still shown');
        assert.deepEqual(await accessibilityFaults(visit), []);
        // The first page was open before the worker was installed.
        await visit.goto(`${url}/`);
        assert.match((await note.textContent()) ?? '', /^You are offline/);
        assert.equal(await visit.locator('ol.places > li').count(), 18);
        await visit.goto(`${url}/trust`);
        assert.equal(await visit.locator('h1').textContent(), 'You are offline');
        const api = await visit.evaluate(`fetch('/api/health').then(() => 'answered', () => 'failed')`);
        assert.equal(api, 'failed');
        await context.setOffline(false);
        await visit.goto(`${url}/pocket/holland`);
        assert.equal(await note.textContent(), '');
      } finally {
        await context.close();
      }
      await page.goto(`${url}/pocket/holland`);
    },
  },
];
