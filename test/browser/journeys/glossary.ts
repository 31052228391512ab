import assert from 'node:assert/strict';
import { accessibilityFaults } from '../../support/browser/browser.ts';
import type { Journey } from './journey.ts';

export const journeys: readonly Journey[] = [
  {
    name: 'read the definition of a term from where it is used',
    on: ['phone'],
    make: async ({ page, url }) => {
      await page.goto(`${url}/about`);
      const term = page.locator('main a.term', { hasText: 'gates' });
      assert.match((await term.getAttribute('title')) ?? '', /^One of seven conditions/);
      // With the keyboard: the definition shows beside the term.
      await term.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      const shown = "getComputedStyle(document.activeElement, '::after').content";
      assert.match(String(await page.evaluate(shown)), /One of seven conditions/);
      // With a finger or a mouse: one tap leads to it.
      await term.click();
      await page.waitForURL('**/glossary#gate');
      const definition = page.locator('#gate');
      assert.ok(await definition.evaluate((element) => element.matches(':target')));
      assert.match((await definition.locator('dd').textContent()) ?? '', /^One of seven conditions/);
      const place = "document.querySelector('#gate').getBoundingClientRect()";
      await page.waitForFunction(`${place}.top >= 0 && ${place}.bottom <= innerHeight`);
      assert.deepEqual(await accessibilityFaults(page), []);
    },
  },
  {
    name: 'read a time in the own zone',
    make: async ({ page, url }) => {
      await page.goto(`${url}/reports/weekly/holland`);
      const note = (await page.locator('footer .zone').textContent()) ?? '';
      assert.match(note, /^Times are Singapore time \(SGT\)\./);
      const minutesAhead = -(await page.evaluate(() => new Date().getTimezoneOffset()));
      assert.equal(/Your clock is/.test(note), minutesAhead !== 8 * 60, `${minutesAhead}`);
    },
  },
];
