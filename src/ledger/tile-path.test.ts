import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addedTiles, parseTilePath, tilePath } from './tile-path.ts';
import { edgeTiles, TILE_WIDTH, tileWidth } from './tiles.ts';

test('paths are spelt as in C2SP tlog-tiles', () => {
  // Source: https://c2sp.org/tlog-tiles, "Merkle Tree": index 1234067 is x001/x234/067.
  assert.equal(tilePath({ level: 0, index: 1234067, width: 256 }), 'tile/0/x001/x234/067');
  assert.equal(tilePath({ level: 'entries', index: 1234067, width: 8 }), 'tile/entries/x001/x234/067.p/8');
  assert.equal(tilePath({ level: 2, index: 0, width: 1 }), 'tile/2/000.p/1');
  assert.equal(tilePath({ level: 1, index: 1000, width: 255 }), 'tile/1/x001/000.p/255');
});

test('a formatted path parses back', () => {
  const level = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant('entries' as const));
  const index = fc.maxSafeNat();
  const width = fc.integer({ min: 1, max: 256 });
  fc.assert(
    fc.property(fc.record({ level, index, width }), (tile) => {
      assert.deepEqual({ ...parseTilePath(tilePath(tile)) }, { ...tile });
    }),
  );
});

test('each tile has one spelling, and any other path is refused', () => {
  const hostile = [
    '',
    'tile',
    'tile/0',
    'tile/0/',
    'tile/0/1',
    'tile/0/0001',
    'tile/0/x000/001',
    'tile/0/x00/001',
    'tile/0/001/002',
    'tile/0/x001/x002',
    'tile/0/x001',
    'tile/00/001',
    'tile/01/001',
    'tile/-1/001',
    'tile/7/001',
    'tile/64/001',
    'tile/data/001',
    'tile/entries/entries',
    'tile/0/001.p/0',
    'tile/0/001.p/01',
    'tile/0/001.p/256',
    'tile/0/001.p/999',
    'tile/0/001.p/',
    'tile/0/001.p',
    'tile/0/001.p/5/',
    'tile/0/001/',
    '/tile/0/001',
    'tile/0/../001',
    'tile/0/x001/../001',
    'tile/0/%30%30%31',
    'tile/0/001\n',
    'tile/0/001\0',
    'tile/0/١٢٣',
    'tile/0/x999/x999/x999/x999/x999/999',
    `tile/0/${'x001/'.repeat(100)}001`,
    `tile/0/${'x'.repeat(100_000)}`,
  ];
  for (const path of hostile)
    assert.throws(() => parseTilePath(path), { code: 'bad_path' }, path.slice(0, 60));
  fc.assert(
    fc.property(fc.stringMatching(/^tile\/[0-9a-z]{1,3}\/[x0-9/.p]{1,24}$/), (path) => {
      let parsed: ReturnType<typeof parseTilePath>;
      try {
        parsed = parseTilePath(path);
      } catch {
        return;
      }
      assert.equal(tilePath(parsed), path);
    }),
  );
});

test('what a larger tree adds are its new bundles and tiles, and its wider edges', () => {
  const paths = (earlier: number, size: number) => Array.from(addedTiles(earlier, size), tilePath);
  assert.deepEqual(paths(0, 0), []);
  assert.deepEqual(paths(0, 3), ['tile/entries/000.p/3', 'tile/0/000.p/3']);
  assert.deepEqual(paths(3, 3), []);
  assert.deepEqual(paths(3, 256), ['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1']);
  assert.deepEqual(paths(256, 257), ['tile/entries/001.p/1', 'tile/0/001.p/1']);
  assert.deepEqual(paths(200, 600), [
    ...['tile/entries/000', 'tile/entries/001', 'tile/entries/002.p/88'],
    ...['tile/0/000', 'tile/0/001', 'tile/0/002.p/88', 'tile/1/000.p/2'],
  ]);
});

test('however a tree has grown, it has all of its complete tiles and its newest edges', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 5 });
  fc.assert(
    fc.property(steps, (counts) => {
      const found = new Set<string>();
      let size = 0;
      for (const count of counts) {
        for (const tile of addedTiles(size, size + count)) {
          assert.ok(!found.has(tilePath(tile)), 'none twice');
          found.add(tilePath(tile));
        }
        size += count;
      }
      for (let level = 0; tileWidth(size, level, 0) > 0; level++)
        for (let index = 0; tileWidth(size, level, index) === TILE_WIDTH; index++)
          assert.ok(found.has(tilePath({ level, index, width: TILE_WIDTH })));
      for (const tile of edgeTiles(size)) assert.ok(found.has(tilePath(tile)));
    }),
  );
});
