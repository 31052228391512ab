// A pocket's page: when will it be calm, why is nothing said, and what was a past day like.
import assert from 'node:assert/strict';
import type { Journey } from './journey.ts';

export const journeys: readonly Journey[] = [
  {
    name: 'see when a pocket will be calm',
    make: async ({ page, url }) => {
      await page.goto(`${url}/pocket/holland`);
      const glance = page.locator('section.glance');
      assert.match(
        (await glance.locator('.advice').textContent()) ?? '',
        /calm \((?:under )?[\d.]+\u00a0%\)/i,
      );
      const when = page.locator('section[aria-labelledby="when"]');
      // The forecasts are as many as are sealed, and each leads to its seal.
      assert.equal(await when.locator('li a[href^="/ledger/"]').count(), 3);
      const chart = page.locator('#day ~ figure.chart').first();
      // A tap at noon, in the middle of the day.
      const svg = chart.locator('svg');
      const { width = 0, height = 0 } = (await svg.boundingBox()) ?? {};
      await svg.click({ position: { x: 0.53 * width, y: height / 2 } });
      const readout = chart.locator('.readout');
      assert.match((await readout.textContent()) ?? '', /^1[12]:\d\d · Calm level 0\.\d+/);
      await page.keyboard.press('ArrowLeft');
      assert.match((await readout.textContent()) ?? '', /^1[12]:\d\d · Calm level 0\.\d+/);
      // The day ends with what is usual; the forecasts come before it.
      await page.keyboard.press('End');
      assert.match((await readout.textContent()) ?? '', /Usual, not a forecast$/);
      for (let n = 0; n < 60 && !/Forecast: /.test((await readout.textContent()) ?? ''); n++)
        await page.keyboard.press('ArrowLeft');
      assert.match((await readout.textContent()) ?? '', /^\d\d:00 · .*Forecast: /);
    },
  },
  {
    name: 'see why nothing was said',
    make: async ({ page, url, service }) => {
      type Answer = {
        pocket_id: string;
        reason: string | null;
        reason_text: string;
        signal_status_code: string;
      };
      let silent: Answer | undefined;
      for (const { id } of service.registry.pockets) {
        const reply = await fetch(`${url}/api/pocket-silence?pocket=${id}`);
        const answer = (await reply.json()) as Answer;
        if (answer.signal_status_code !== 'ACTIVE_INTERVENTION' && answer.reason) silent = answer;
      }
      assert.ok(silent);
      await page.goto(`${url}/pocket/${silent.pocket_id}`);
      const said = page.locator('section[aria-labelledby="said"]');
      assert.equal(
        await said.locator('.answer').textContent(),
        `Nothing is said now: ${silent.reason_text}.`,
      );
      // The same reason is the newest of today's decisions, and leads to the decision.
      const newest = page.locator('ol.decisions li').first();
      assert.ok((await newest.textContent())?.includes(silent.reason_text));
      await newest.getByRole('link', { name: 'Why' }).click();
      await page.waitForURL('**/explanations/**');
    },
  },
  {
    name: 'open a day from the calendar and come back',
    make: async ({ page, url }) => {
      await page.goto(`${url}/pocket/holland#calendar`);
      const map = page.locator('table.week-map');
      await map.locator('tbody tr').first().locator('td').nth(10).click();
      const readout = page.locator('figure.week-map .readout');
      assert.match((await readout.textContent()) ?? '', /^Wed 11 \w+, 10:00 · calm level 0\.\d\d$/);
      await map.focus();
      await page.keyboard.press('ArrowDown');
      assert.match((await readout.textContent()) ?? '', /^Tue 10 \w+, 10:00 · no reading$/);
      await map.getByRole('link').nth(1).click();
      await page.waitForURL('**/pocket/holland/2026-11-10');
      assert.match((await page.locator('h1').textContent()) ?? '', /Tuesday 10 \w+ 2026/);
      assert.ok((await page.locator('ol.decisions li').count()) > 0);
      await page.getByRole('link', { name: /Back to the calendar/ }).click();
      await page.waitForURL('**/pocket/holland#calendar');
      assert.ok(await map.isVisible());
    },
  },
];
