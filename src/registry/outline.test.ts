// The optional outline.json of a city: what it must hold, and which cities have one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { cityDir } from './city-dir.ts';
import { loadRegistry } from './load.ts';

const root = mkdtempSync(join(tmpdir(), 'outline-'));
after(() => rmSync(root, { recursive: true }));

const base = cityDir('singapore');
const read = (file: string) => JSON.parse(readFileSync(join(base, file), 'utf8'));
const outline = read('outline.json');

/** A city with the pockets of Singapore and the given files. */
function load(files: Record<string, unknown>) {
  const dir = mkdtempSync(join(root, 'city-'));
  const all = { city: { ...read('city.json'), extends: base }, ...files };
  for (const [name, content] of Object.entries(all))
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(content));
  return loadRegistry(dir);
}

test('Singapore and Melbourne have a coast with its licence; Münster has none', () => {
  for (const name of ['singapore', 'melbourne']) {
    const shipped = loadRegistry(cityDir(name)).outline;
    assert.equal(shipped?.source.attribution, '© OpenStreetMap contributors');
    assert.equal(shipped.licence.name, 'ODbL 1.0');
  }
  assert.equal(loadRegistry(cityDir('muenster')).outline, undefined);
});

test('the live Singapore takes the outline of the simulated one', () => {
  assert.deepEqual(loadRegistry(cityDir('singapore-live')).outline, loadRegistry(base).outline);
});

test('a city with pockets of its own does not take the outline of another', () => {
  assert.equal(load({ pockets: read('pockets.json') }).outline, undefined);
});

describe('refused', () => {
  const [west, south, east, north] = loadRegistry(base).outline?.box ?? [0, 0, 0, 0];
  const square = (side: number) => [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south],
  ];
  const cases: [what: string, changes: Record<string, unknown>, problem: string][] = [
    ['no licence', { licence: undefined }, 'licence is missing'],
    [
      'a licence without an address',
      { licence: { name: 'X', url: 'x' } },
      'licence.url must be an http or https address',
    ],
    ['no source', { source: undefined }, 'source is missing'],
    ['no land', { land: [] }, 'land must be a list of 1-500 rings'],
    ['a line', { land: [square(0.1).slice(2)] }, 'land.0 must be a closed ring of 4-2000 [lng, lat] pairs'],
    ['off the globe', { land: [[[0, 91], ...square(0.1)]] }, 'land.0.0.1 must be a number, -90 to 90'],
    [
      'an open ring',
      { land: [square(0.1), [...square(0.1), [west, south + 0.1]]] },
      'land.1 must end where it begins',
    ],
    ['land outside of the box', { land: [square(1)] }, 'land must lie in box'],
    [
      'a box that ends among the pockets',
      { box: [west + 0.2, south, east, north], land: [square(0.1).map(([x = 0, y]) => [x + 0.2, y])] },
      `box must contain [${west}, ${south}, ${east}, ${north}]`,
    ],
  ];
  for (const [what, changes, problem] of cases)
    test(what, () => {
      assert.throws(() => load({ outline: { ...outline, ...changes } }), {
        name: 'RegistryError',
        message: `outline.json: ${problem}`,
      });
    });

  test('more points than a page should carry', () => {
    const land = Array.from({ length: 499 }, () => [...square(0.1), ...square(0.1)]);
    assert.throws(() => load({ outline: { ...outline, land } }), {
      message: 'outline.json: land must have at most 2000 points in all, but has 3992',
    });
  });
});

test('an outline that is no file, or larger than any map, is refused before it is read', {
  timeout: 20_000,
}, () => {
  const make: Record<string, (path: string) => void> = {
    'is not a file': (path) => void execFileSync('mkfifo', [path]),
    'is not a file\n?': (path) => mkdirSync(path),
    'must have at most 1 MB, but has 1000': (path) => void execFileSync('truncate', ['-s', '1000M', path]),
  };
  for (const [problem, put] of Object.entries(make)) {
    const dir = mkdtempSync(join(root, 'city-'));
    writeFileSync(join(dir, 'city.json'), JSON.stringify({ ...read('city.json'), extends: base }));
    put(join(dir, 'outline.json'));
    assert.throws(() => loadRegistry(dir), new RegExp(`^RegistryError: outline.json ${problem}$`));
  }
});
