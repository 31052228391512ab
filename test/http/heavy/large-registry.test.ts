// A city of a hundred thousand pockets: the thread of heavy answers has room for what it keeps of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import { addPocketsTo } from '../../support/growth/grow-store.ts';
import { ask } from '../../support/services/http-client.ts';
import { startService } from '../../support/services/service.ts';

test('pages that this thread computes are answered in a city of a hundred thousand pockets', async (t) => {
  const { pockets, outlets, ...city } = addPocketsTo(loadRegistry(cityDir('singapore')), 5555);
  // As files have them: no two pockets share a character.
  const registry = { ...city, ...JSON.parse(JSON.stringify({ pockets, outlets })) };
  assert.ok(registry.pockets.length > 100_000);
  const { url } = await startService(t, { registry, days: 0, usual: false, heavyThread: true });
  const page = await ask(`${url}/pocket/holland-44`);
  assert.equal(page.status, 200);
  assert.match(page.text, /Holland Village 44/);
  const { status, text } = await ask(`${url}/sitemap.xml`);
  assert.equal(status, 200);
  assert.equal(text.match(/<url>/g)?.length, 50_000);
});
