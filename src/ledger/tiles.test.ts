import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tilesBetween } from './testing/expected-tiles.ts';
import { edgeTiles, tileWidth } from './tiles.ts';

test('a tree of 70,000 leaves has the tiles that C2SP tlog-tiles counts', () => {
  // Source: https://c2sp.org/tlog-tiles, "Partial Tiles".
  const tiles = tilesBetween(0, 70_000);
  const count = (level: number, complete: boolean) =>
    tiles.filter((tile) => tile.level === level && (tile.width === 256) === complete).length;
  assert.deepEqual([count(0, true), count(1, true), count(2, true)], [273, 1, 0]);
  assert.deepEqual(edgeTiles(70_000), [
    { level: 0, index: 273, width: 112 },
    { level: 1, index: 1, width: 17 },
    { level: 2, index: 0, width: 1 },
  ]);
  assert.deepEqual(tilesBetween(0, 256), [
    { level: 0, index: 0, width: 256 },
    { level: 1, index: 0, width: 1 },
  ]);
});

test('only tiles that grew are listed', () => {
  assert.deepEqual(tilesBetween(5, 5), []);
  assert.deepEqual(tilesBetween(255, 257), [
    { level: 0, index: 0, width: 256 },
    { level: 0, index: 1, width: 1 },
    { level: 1, index: 0, width: 1 },
  ]);
  assert.deepEqual(tilesBetween(256, 257), [{ level: 0, index: 1, width: 1 }]);
  assert.throws(() => tilesBetween(2, 1), { code: 'bad_size' });
});

test('a tile is listed exactly when it became wider', () => {
  fc.assert(
    fc.property(fc.nat(200_000), fc.nat(3000), (from, more) => {
      const named = new Set(tilesBetween(from, from + more).map(({ level, index }) => `${level}/${index}`));
      for (let level = 0; level < 4; level++) {
        for (let index = 0; index <= (from + more) / 256 ** (level + 1); index++) {
          const wider = tileWidth(from + more, level, index) > tileWidth(from, level, index);
          assert.equal(named.has(`${level}/${index}`), wider);
        }
      }
    }),
    { numRuns: 50 },
  );
});
