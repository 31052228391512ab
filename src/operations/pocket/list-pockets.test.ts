import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildLookup } from '../../domain/city/lookup.ts';
import { faultsOf } from '../../domain/text/voice.ts';
import { loadRegistry, singaporeDir } from '../../registry/load.ts';
import { noStore } from '../../store/engine/open.ts';
import { listPockets } from './list-pockets.ts';

const city = loadRegistry(singaporeDir);
const list = (pockets = city.pockets) =>
  listPockets.answer(
    {},
    { registry: { ...city, pockets }, lookup: buildLookup(pockets), store: noStore(), now: 0, baseUrl: '' },
  );

test('names the 18 pockets of Singapore in alphabetical order, without a store', async () => {
  const { structured, text } = await list();
  const ids = city.pockets.map(({ id }) => id).sort();
  assert.equal(ids.length, 18);
  assert.deepEqual(structured, { pockets: ids });
  assert.equal(text, `observed pockets: ${ids.join(', ')}`);
  assert.deepEqual(faultsOf(text), []);
});

test('names the pockets of another registry, and of an empty one', async () => {
  const { structured } = await list(city.pockets.slice(0, 2).reverse());
  assert.deepEqual(structured, { pockets: city.pockets.slice(0, 2).map(({ id }) => id) });
  assert.deepEqual(await list([]), { structured: { pockets: [] }, text: 'observed pockets: ' });
});
