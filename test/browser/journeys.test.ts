// The journeys of people through the pages, in a real browser: those that do not name their device on a phone and on a
// desktop by turns; JOURNEYS=all makes all of them on both.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { noBrowser, type SharedTab } from '../support/browser/browser.ts';
import { ordinaryDay, sharedTabs } from '../support/browser/shared-browser.ts';
import type { Device, Journey, Visit } from './journeys/journey.ts';

const folder = join(import.meta.dirname, 'journeys');
const files = readdirSync(folder).filter((name) => name !== 'journey.ts');
const lists = await Promise.all(
  files.map(
    async (name) => ((await import(join(folder, name))) as { journeys: readonly Journey[] }).journeys,
  ),
);
const viewports: Record<Device, { width: number; height: number }> = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 900 },
};
const devices: readonly Device[] = ['phone', 'desktop'];
const ALL = process.env.JOURNEYS === 'all';

describe('journeys', { skip: noBrowser }, () => {
  let tab: SharedTab;
  let site: Omit<Visit, 'page'>;
  before(async () => {
    site = await ordinaryDay();
    ({ tab } = await sharedTabs());
  });

  for (const [n, { name, on, make }] of lists.flat().entries())
    for (const device of ALL ? devices : (on ?? [devices[n % 2] ?? 'phone']))
      test(`${name}, on a ${device}`, async () => {
        const { page, browserErrors } = await tab(viewports[device]);
        await make({ ...site, page });
        assert.deepEqual(browserErrors, []);
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((wider as number) <= 0, `${page.url()} is ${wider} too wide`);
      });
});
