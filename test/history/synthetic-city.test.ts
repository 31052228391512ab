// The bench's synthetic city must be a registry that the service accepts.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { syntheticCity } from '../../bench/city/synthetic-city.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';

test('a synthetic city is a valid registry, and always the same', (t) => {
  const city = syntheticCity(60);
  assert.deepEqual(syntheticCity(60), city);
  assert.equal(city.pockets.length, 60);
  const singapore = loadRegistry(cityDir('singapore'));
  const outletsPerPocket = ({ pockets, outlets }: typeof city) => outlets.length / pockets.length;
  assert.ok(Math.abs(outletsPerPocket(city) / outletsPerPocket(singapore) - 1) < 0.25);

  const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-test-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(cityDir('singapore'), dir, { recursive: true });
  rmSync(join(dir, 'outline.json'));
  rmSync(join(dir, 'places.json'));
  writeFileSync(
    join(dir, 'pockets.json'),
    JSON.stringify({ pockets: city.pockets.map(({ covered: _derived, ...pocket }) => pocket) }),
  );
  writeFileSync(join(dir, 'outlets.json'), JSON.stringify({ outlets: city.outlets }));
  assert.deepEqual(loadRegistry(dir), city);
});
