import assert from 'node:assert/strict';
import type { Journey } from './journey.ts';

export const journeys: readonly Journey[] = [
  {
    name: 'find the page of a pocket from the front page',
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.locator('main a[href="/pocket/holland"]').first().click();
      await page.waitForURL('**/pocket/holland');
      assert.match((await page.locator('h1').textContent()) ?? '', /Holland/);
    },
  },
];
