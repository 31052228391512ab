import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../registry/city-dir.ts';
import { loadRegistry } from '../registry/load.ts';
import { openSource } from './all.ts';
import { simulatedCity } from './simulated/city.ts';
import type { Source } from './source.ts';

const registry = loadRegistry(cityDir('singapore'));
const slot = Date.parse('2026-11-11T04:00:00Z');

test('without a live feed it is the simulated city, by the given seed or that of the registry', async () => {
  for (const [SEED, seed] of [
    ['', registry.city.seed],
    ['another', 'another'],
  ] as const) {
    const source = openSource(registry, { SEED });
    assert.equal(source.substrate, 'simulated');
    assert.deepEqual(await source.observe(slot), await simulatedCity(registry, seed).observe(slot));
  }
});

test('it is the first that is configured', () => {
  const one: Source = { substrate: 'live', observe: async () => [] };
  const other: Source = { substrate: 'replay', observe: async () => [] };
  const open = (list: (Source | null)[]) =>
    openSource(
      registry,
      { SEED: '' },
      list.map((source) => () => source),
    );
  assert.equal(open([null, one, other]), one);
  assert.equal(open([null, null, other]), other);
  assert.throws(() => open([null]), /no source is configured/);
});
