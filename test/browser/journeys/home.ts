import assert from 'node:assert/strict';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import { startService } from '../../support/services/service.ts';
import type { Journey } from './journey.ts';

const rows = 'ol.places > li';

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
  {
    name: 'find a calm place near a point, without telling the point',
    on: ['phone'],
    make: async ({ page, url }) => {
      const context = page.context();
      await context.grantPermissions(['geolocation'], { origin: url });
      await context.setGeolocation({ latitude: 1.3137, longitude: 103.9236 });
      const sent: string[] = [];
      page.on('request', (request) => sent.push(decodeURIComponent(request.url())));
      await page.goto(url);
      await page.getByLabel('Order').selectOption('near');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('Nearest first. Your position').waitFor();
      const first = page.locator(rows).first();
      assert.equal(await first.getAttribute('id'), 'p-siglap');
      assert.match((await first.textContent()) ?? '', /\d+ k?m away/);
      // The row says whether to go now, and when else.
      assert.match((await first.locator('.advice').textContent()) ?? '', /calm \([\d.]+\u00a0%\)/i);
      assert.deepEqual(
        sent.filter((address) => /1\.31|103\.92/.test(address)),
        [],
      );
    },
  },
  {
    name: 'compare two pockets that were marked in the list',
    make: async ({ page, url }) => {
      await page.goto(url);
      for (const id of ['holland', 'siglap']) await page.locator(`#p-${id} input`).check();
      await page.getByRole('button', { name: 'Compare the marked pockets' }).click();
      await page.waitForURL('**/compare?pockets=*');
      const heading = (await page.locator('h1').textContent()) ?? '';
      assert.match(heading, /Compare .*Holland.*, .*Siglap|Compare .*Siglap.*, .*Holland/);
      const table = (await page.locator('table.compared').textContent()) ?? '';
      for (const figure of ['Open then', 'How it feels', 'Next calm window', 'Rain', 'Temperature', 'Crowd'])
        assert.ok(table.includes(figure), figure);
      assert.match(table, /calm \([\d.]+\u00a0%\)/i);
    },
  },
  {
    name: 'search a pocket by a name with a typo',
    make: async ({ page, url }) => {
      await page.goto(url);
      await page.getByLabel('Find a place').fill('tiong baru');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL('**/?q=tiong+baru*');
      assert.equal(await page.locator(rows).first().getAttribute('id'), 'p-tiongbahru');
      // The map shows what the list shows.
      assert.equal(await page.locator('svg.map a.spot').count(), await page.locator(rows).count());
    },
  },
  {
    name: 'a city of one pocket',
    make: async ({ page }) => {
      const city = loadRegistry(cityDir('singapore'));
      const pockets = city.pockets.slice(0, 1);
      const ends: (() => unknown)[] = [];
      const registry = {
        ...city,
        pockets,
        outlets: city.outlets.filter(({ pocket_id }) => pocket_id === pockets[0]?.id),
      };
      const { url } = await startService(
        { after: ((end: () => unknown) => void ends.push(end)) as never },
        { registry, days: 0 },
      );
      // Everything is loaded before the service ends, or what is cut off would count as an error.
      await page.goto(url, { waitUntil: 'networkidle' });
      assert.equal(await page.locator(rows).count(), 1);
      assert.equal(await page.locator('svg.map a.spot').count(), 1);
      await page.goto('about:blank');
      for (const end of ends) await end();
    },
  },
];
