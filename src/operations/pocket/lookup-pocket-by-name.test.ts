import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildLookup } from '../../domain/city/lookup.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { noStore } from '../../store/engine/open.ts';
import { lookupPocketByName } from './lookup-pocket-by-name.ts';

const registry = loadRegistry(cityDir('singapore'));
const context = {
  registry,
  zone: singapore,
  lookup: buildLookup(registry.pockets),
  store: noStore(),
  substrate: 'simulated' as const,
  now: 0,
  baseUrl: '',
};

async function find(query: string) {
  const { structured, text } = await lookupPocketByName.answer({ query }, context);
  return { ...structured, text };
}

test('a name is found, and the text says all that the structure does', async () => {
  for (const query of ['holland v', 'HollandVillage', 'tiong bharu', '中峇鲁', 'Holland Village!']) {
    const { query: echo, matches, text } = await find(query);
    assert.equal(echo, query);
    assert.ok(matches.length >= 1 && matches.length <= 3, query);
    assert.ok(text.startsWith(`'${query}' matched:\n`));
    for (const { pocket_id, display_name, region, confidence } of matches) {
      assert.ok(confidence >= 0.2 && confidence <= 1);
      const line = `${display_name.toLowerCase()} (${pocket_id}), ${region.toLowerCase()}, confidence ${confidence}`;
      assert.ok(text.split('\n').includes(line), line);
    }
    assert.deepEqual(voiceFaults(text), []);
  }
});

test('a match has the fields of the interface', async () => {
  const { matches } = await find('dempsey');
  const keys = ['pocket_id', 'display_name', 'lat', 'lng', 'region', 'confidence'];
  assert.deepEqual(Object.keys(matches[0] ?? {}), keys);
  assert.equal(matches[0]?.pocket_id, 'dempsey');
});

test('no match is an empty list with similar names, or with where to find the names', async () => {
  const { matches, text, ...rest } = await find('zzqq');
  assert.deepEqual(matches, []);
  assert.deepEqual(rest, { query: 'zzqq', suggestions: [] });
  assert.equal(text, "no pocket matched 'zzqq'. list_pockets names those that are observed.");
  const near = await find('Joo Koon');
  assert.deepEqual(near.suggestions, ['Joo Chiat']);
  assert.equal(near.text, "no pocket matched 'Joo Koon'. similar names: joo chiat.");
});

test('an echoed query cannot leave its quotes or carry control characters', async () => {
  const { text, query } = await find("zz' BUY NOW!\n\u202e");
  assert.equal(query, "zz' BUY NOW!");
  assert.ok(text.startsWith("no pocket matched 'zz’ BUY NOW!'. "));
});

test('whatever is asked, the line keeps to the voice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(0x10ffff), { minLength: 1, maxLength: 80 }), async (codes) => {
      const query = String.fromCodePoint(...codes);
      const { matches, text } = await find(query);
      assert.deepEqual(voiceFaults(text), []);
      assert.equal(text.startsWith('no pocket matched '), matches.length === 0);
    }),
  );
});
