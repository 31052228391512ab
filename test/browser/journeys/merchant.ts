// A merchant or visitor looks for the hours in which an outlet is quiet.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeOutletActivity } from '../../../src/store/observation/outlet-activity.ts';
import { accessibilityFaults } from '../../support/browser/browser.ts';
import { NOON } from '../../support/services/service.ts';
import type { Journey, Visit } from './journey.ts';

const NAME = 'Slow Papaya';
const stores = new WeakSet<object>();

/** Writes four weeks in which the outlet is quiet on Tuesdays from 14:00 to 16:00, before the day that is in the store. */
async function writeQuietTuesdays({ service }: Pick<Visit, 'service'>): Promise<void> {
  if (stores.has(service)) return;
  stores.add(service);
  const { id: outlet_id } = service.registry.outlets.find(({ name }) => name === NAME) ?? assert.fail(NAME);
  const { weekday, hourOfDay } = service.zone;
  const isQuiet = (slot: number) => weekday(slot) === 1 && hourOfDay(slot) >= 14 && hourOfDay(slot) < 16;
  const rows = Array.from({ length: (27 * DAY) / SLOT }, (_, n) => {
    const slot = NOON - DAY - n * SLOT;
    return { slot, outlet_id, activity: isQuiet(slot) ? 0.1 : 0.6 };
  });
  await (service.store as Store).transaction((tx) => writeOutletActivity(tx, rows));
}

/** The form is the same at every width. */
async function search(page: Page, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Search' }).click();
}

export const journeys: readonly Journey[] = [
  {
    name: 'find the quiet hour of an outlet by its misspelt name',
    make: async ({ page, url, service }) => {
      await writeQuietTuesdays({ service });
      await page.goto(url);
      await page.locator('header a[href="/outlets"]').click();
      await search(page, 'slwo papya');
      assert.match((await page.getByRole('status').textContent()) ?? '', /similar name/);
      assert.deepEqual(await accessibilityFaults(page), []);
      await page.getByRole('link', { name: NAME }).click();
      await page.waitForURL('**/outlet/*');
      assert.match((await page.getByRole('region', { name: 'Opening hours' }).textContent()) ?? '', /now/);
      const cells = page.locator('.heat td');
      assert.equal(await cells.count(), 7 * 10);
      const quiet = (await page.locator('ul.quiet li').first().textContent()) ?? '';
      assert.match(quiet, /Tuesdays, 14:00 to 16:00/);
      assert.match(quiet, /Quiet in \d of \d weeks since \d+ \w+ 2026, n = \d+ quarter hours/);
      assert.deepEqual(await accessibilityFaults(page), []);
      // A proposal, or the example of one.
      const proposal = page.locator('#proposal ~ blockquote, #proposal ~ .example blockquote');
      assert.match((await proposal.textContent({ timeout: 5000 })) ?? '', /^a visit in tiong bahru at /);
      await page.getByRole('button', { name: 'Run the backtest' }).click();
      await page.waitForURL('**/backtest?days=30');
      const caveats = (await page.locator('#caveats + ul').textContent()) ?? '';
      assert.match(caveats, /is assumed, not observed/);
      assert.deepEqual(await accessibilityFaults(page), []);
    },
  },
];
