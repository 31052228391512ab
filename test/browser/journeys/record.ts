// What a researcher and a doubtful resident do: check a proof, find a hash, see why nothing was said.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Journey } from './journey.ts';

const readText = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? '';

/** A forecast whose outcome is known, and the hash that it was sealed with. */
async function sealedForecast(url: string): Promise<{ id: string; payload_hash: string }> {
  const reply = await fetch(`${url}/api/predictions?pocket=holland&revealed=only&limit=1`);
  const { entries } = (await reply.json()) as { entries: { id: string; payload_hash: string }[] };
  assert.ok(entries[0]);
  return entries[0];
}

export const journeys: readonly Journey[] = [
  {
    name: "check a forecast's proof",
    make: async ({ page, url }) => {
      await page.goto(`${url}/accuracy`);
      await page.getByRole('link', { name: 'in the ledger' }).click();
      await page.waitForURL('**/ledger?**');
      await page.locator('#entries ~ .scroll tbody tr a').first().click();
      await page.locator('.verified.right').waitFor();
      assert.match(await readText(page, '.verified'), /^Verified in this browser/);
      assert.equal(await page.locator('ol.steps li.right').count(), 6);
    },
  },
  {
    name: 'search the ledger by hash',
    make: async ({ page, url }) => {
      const { id, payload_hash } = await sealedForecast(url);
      await page.goto(url);
      await page.locator('header a[href="/ledger"]').click();
      await page.getByLabel('Check an id, a hash or a receipt').fill(payload_hash.slice(0, 20));
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      assert.equal(await readText(page, '#result'), 'In the log');
      assert.ok((await readText(page, '.card table')).includes(id));
      // One digit off, it is found nowhere.
      const wrong = `${payload_hash.slice(0, -1)}${payload_hash.endsWith('0') ? '1' : '0'}`;
      await page.getByLabel('Check an id, a hash or a receipt').fill(wrong);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      assert.equal(await readText(page, '#result'), 'Not in the log');
      // A receipt whose content was changed is told apart from the entry that it names.
      const proof = (await (await fetch(`${url}/api/ledger/proof/${id}`)).json()) as { payload: object };
      const receipt = { id, payload_hash, payload: { ...proof.payload, confidence: 0.999 } };
      await page.getByLabel('Check an id, a hash or a receipt').fill(JSON.stringify(receipt));
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      assert.equal(await readText(page, '#result'), 'The log says something else');
      assert.match(await readText(page, 'li.wrong'), /^payload is not what the log holds/);
      await page.getByRole('link', { name: 'Check here' }).click();
      await page.locator('.verified.right').waitFor();
    },
  },
  {
    name: 'see why nothing was said, from a pocket to its explanation',
    make: async ({ page, url }) => {
      await page.goto(`${url}/pocket/holland`);
      const direct = page.locator('main a[href^="/explanations/silence:"]').first();
      if (await direct.count()) await direct.click();
      else {
        await page.locator('main a[href="/silence"]').first().click();
        await page.waitForURL('**/silence');
        await page.locator('#judged ~ table').getByRole('link', { name: 'Explanation' }).first().click();
      }
      await page.waitForURL('**/explanations/silence:*');
      assert.equal(await readText(page, 'h1'), 'Why nothing was said');
      const reason = await readText(page, '.lead strong');
      assert.ok(reason.length > 5);
      // The gate that decided stands below its threshold, as it is shown.
      const gate = page.locator('table.bars tr', { hasText: 'closed, and decided' });
      const [shown = '', needed = ''] = ((await gate.locator('.figures').textContent()) ?? '').split(
        ' needs ',
      );
      assert.ok(Number(shown) < Number(needed), `${shown} of ${needed}`);
      assert.equal(await gate.locator('rect.threshold').count(), 1);
      await page.getByRole('link', { name: 'check the seal' }).click();
      await page.locator('.verified.right').waitFor();
    },
  },
];
