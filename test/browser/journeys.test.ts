// The journeys of people through the pages, in a real browser.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { noBrowser, openSharedTab, type SharedTab, startBrowser } from '../support/services/browser.ts';
import { startService } from '../support/services/service.ts';
import type { Journey, Visit } from './journeys/journey.ts';

const folder = join(import.meta.dirname, 'journeys');
const files = readdirSync(folder).filter((name) => name !== 'journey.ts');
const lists = await Promise.all(
  files.map(
    async (name) => ((await import(join(folder, name))) as { journeys: readonly Journey[] }).journeys,
  ),
);
const viewports = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];

describe('journeys', { skip: noBrowser }, () => {
  let tab: SharedTab;
  let site: Omit<Visit, 'page'>;
  const ends: (() => unknown)[] = [];
  before(async () => {
    const atEnd = ((end: () => unknown) => void ends.unshift(end)) as TestContext['after'];
    site = await startService({ after: atEnd });
    const browser = await startBrowser();
    tab = await openSharedTab(browser);
    ends.unshift(() => browser.close());
  });
  after(async () => {
    for (const end of ends) await end();
  });

  for (const { name, make } of lists.flat())
    for (const viewport of viewports)
      test(`${name}, ${viewport.width} wide`, async () => {
        const { page, browserErrors } = await tab(viewport);
        await make({ ...site, page });
        assert.deepEqual(browserErrors, []);
        const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((wider as number) <= 0, `${page.url()} is ${wider} too wide`);
      });
});
