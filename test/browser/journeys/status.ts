// An operator sees that the service is down: the pipeline has stopped, or the store is away.
import assert from 'node:assert/strict';
import { HOUR, MINUTE } from '../../../src/domain/time/slot.ts';
import type { AppContext } from '../../../src/http/answers/app-context.ts';
import { buildServer } from '../../../src/http/server/server.ts';
import { StoreError } from '../../../src/store/engine/store.ts';
import { accessibilityFaults } from '../../support/browser/browser.ts';
import { noLimits, quietLog } from '../../support/services/service.ts';
import type { Journey, Visit } from './journey.ts';

/** A second server on the same store, with some parts replaced, while `visit` lasts. */
async function withServer(context: AppContext, visit: (url: string) => Promise<void>): Promise<void> {
  const app = buildServer(context, noLimits, quietLog);
  try {
    await visit(await app.listen({ host: '127.0.0.1', port: 0 }));
  } finally {
    await app.close();
  }
}

const readText = async (page: Visit['page'], selector: string) =>
  (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ');

export const journeys: readonly Journey[] = [
  {
    name: 'see on the page of a pocket that readings stopped hours ago, and look up since when',
    make: ({ page, service }) =>
      withServer({ ...service, now: () => service.now() + 5 * HOUR }, async (url) => {
        await page.goto(`${url}/pocket/holland`);
        assert.match(await readText(page, '.notice'), /The newest is 5 hours old .* from then\.$/);
        assert.match(await readText(page, '.age.late'), /Newest reading: .* 5 hours old/);
        await page.locator('footer a[href="/status"]').click();
        await page.waitForURL('**/status');
        assert.match(await readText(page, '.banner.red'), /Readings have stopped: none for 5 hours/);
        assert.match(await readText(page, '.incidents'), /Ongoing 4 hours 45 minutes/);
        const newest = page.locator('ul.checks li', { hasText: 'Newest observation' });
        assert.equal(await page.locator('.days').count(), 9);
        assert.equal(await newest.locator('path.bar.red').count(), 1);
        // The day of a bar is told to the keyboard and to a tap, and without a script as a list.
        await newest.locator('svg').focus();
        assert.match(
          await newest.locator('.day').innerText(),
          /^11 Nov 2026: failing in 19 of 19 quarter hours/,
        );
        await page.keyboard.press('ArrowLeft');
        assert.match(await newest.locator('.day').innerText(), /^10 Nov 2026: no record/);
        await newest.locator('svg').click({ position: { x: 3, y: 10 } });
        assert.match(await newest.locator('.day').innerText(), /^14 Aug 2026: no record/);
        await newest.locator('summary').click();
        assert.match(
          await newest.locator('details li').innerText(),
          /11 Nov 2026: failing in 19 of 19 results/,
        );
        assert.match(
          await readText(page, '.incidents .own'),
          /^By your clock from 11 Nov 2026, \d\d:\d\d until now/,
        );
        assert.deepEqual(await accessibilityFaults(page), []);
      }),
  },
  {
    name: 'see that the store is away, and what was last known',
    make: async ({ page, service }) => {
      const state = { down: false, now: service.now() };
      const away = () => Promise.reject(new StoreError('unavailable'));
      const { get, all } = service.store;
      const store: AppContext['store'] = {
        ...service.store,
        get: (...given) => (state.down ? away() : get(...given)),
        all: (...given) => (state.down ? away() : all(...given)),
      };
      await withServer({ ...service, store, now: () => state.now }, async (url) => {
        await page.goto(`${url}/status`);
        assert.match(await readText(page, '.banner'), /One is due every quarter hour/);
        Object.assign(state, { down: true, now: state.now + 10 * MINUTE });
        await page.reload();
        assert.match(await readText(page, '.banner.red'), /The store cannot be read/);
        assert.match(await readText(page, '.old'), /last known state, from .*: 10 minutes old/);
        assert.deepEqual(await accessibilityFaults(page), []);
      });
    },
  },
];
