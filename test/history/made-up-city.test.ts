// The bench's city must be one that the service would take.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { madeUpCity } from '../../bench/made-up-city.ts';
import { loadRegistry, singaporeDir } from '../../src/registry/load.ts';

test('a made-up city is a registry, and always the same', (t) => {
  const city = madeUpCity(60);
  assert.deepEqual(madeUpCity(60), city);
  assert.equal(city.pockets.length, 60);
  const singapore = loadRegistry(singaporeDir);
  const shareOf = ({ pockets, outlets }: typeof city) => outlets.length / pockets.length;
  assert.ok(Math.abs(shareOf(city) / shareOf(singapore) - 1) < 0.25);

  const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-test-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  cpSync(singaporeDir, dir, { recursive: true });
  writeFileSync(join(dir, 'pockets.json'), JSON.stringify(city.pockets));
  writeFileSync(join(dir, 'outlets.json'), JSON.stringify(city.outlets));
  assert.deepEqual(loadRegistry(dir), city);
});
