import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildLookup } from '../../../domain/city/lookup.ts';
import { buildPlaceIndex, whereIs } from '../../../domain/city/where-is.ts';
import { cityDir } from '../../../registry/city-dir.ts';
import { loadRegistry } from '../../../registry/load.ts';
import { nameSuggestions } from './name-suggestions.ts';

const { pockets, places } = loadRegistry(cityDir('singapore'));
const names = { lookup: buildLookup(pockets), places: buildPlaceIndex(places), pockets };

test('every name and other name is suggested once, whatever its case', () => {
  const suggested = nameSuggestions({ pockets, places }).map(([name]) => name.toLowerCase());
  assert.equal(new Set(suggested).size, suggested.length);
  for (const { name, aliases } of [...pockets, ...places])
    for (const one of [name, ...aliases]) assert.ok(suggested.includes(one.toLowerCase()), one);
});

test('what is suggested is found by the search, and another name is that of the place it stands for', () => {
  for (const [name, meant] of nameSuggestions({ pockets, places })) {
    const found = whereIs(name, names);
    assert.notEqual(found.kind, 'unknown', name);
    if (meant === undefined || found.kind !== 'pocket') continue;
    assert.ok(
      found.matches.some(({ display_name }) => display_name === meant),
      `${name} is not ${meant}`,
    );
  }
});

test('a large city suggests its pockets before other names', () => {
  const many = Array.from({ length: 5000 }, (_, n) => ({ ...pockets[0], name: `Place ${n}` }));
  const [first, ...rest] = nameSuggestions({ pockets: many as typeof pockets, places });
  assert.deepEqual(first, ['Place 0']);
  assert.equal(rest.length, 2999);
});
