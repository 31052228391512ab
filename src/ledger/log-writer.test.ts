import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { appendLeaves, logRoot, restoreLog } from './log-writer.ts';
import { leafHash } from './merkle.ts';
import { tileHashes, tilesBetween } from './testing/expected-tiles.ts';
import { memoryLog } from './testing/memory-log.ts';
import { plainRoot } from './testing/plain-tree.ts';
import { inputs, roots } from './testing/reference-tree.ts';

const leavesFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, i) => leafHash(String(start + i)));
const data = (size: number) => Array.from({ length: size }, (_, i) => Buffer.from(String(i)));

test('the root of the reference tree', () => {
  let state = restoreLog(0, []);
  inputs.forEach((input, i) => {
    ({ state } = appendLeaves(state, [leafHash(input)]));
    assert.equal(logRoot(state), roots[i]);
  });
});

test('appending in batches or at once gives the same root, and returns exactly the tiles that grew', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 5 }), (pieces) => {
      const log = memoryLog();
      for (const piece of pieces) {
        const from = log.state().size;
        const tiles = log.append(leavesFrom(from, piece));
        const byPlace = (a: { level: number; index: number }, b: typeof a) =>
          a.level - b.level || a.index - b.index;
        assert.deepEqual(
          tiles
            .map(({ level, index, hashes }) => ({ level, index, width: hashes.length / 32 }))
            .sort(byPlace),
          tilesBetween(from, from + piece).sort(byPlace),
        );
      }
      const { size } = log.state();
      assert.equal(logRoot(log.state()), plainRoot(data(size)));
    }),
    { numRuns: 40 },
  );
});

test('each hash of an upper tile is the root of a tile below it', () => {
  const { tiles } = appendLeaves(restoreLog(0, []), leavesFrom(0, 256 * 3 + 10));
  const upper = tiles.find(({ level }) => level === 1);
  const expected = [0, 1, 2].map((tile) => plainRoot(data(768).slice(tile * 256, (tile + 1) * 256)));
  assert.deepEqual(upper && tileHashes(upper), expected);
});

test('a restored log continues like one that never stopped', () => {
  for (const size of [0, 1, 7, 255, 256, 257, 512, 65_535, 65_536, 65_537, 70_000]) {
    const log = memoryLog();
    log.append(leavesFrom(0, size));
    const restored = restoreLog(size, log.edges());
    assert.equal(logRoot(restored), logRoot(log.state()));
    const more = leavesFrom(size, 300);
    const [continued, restarted] = [appendLeaves(log.state(), more), appendLeaves(restored, more)];
    assert.deepEqual(restarted.tiles, continued.tiles);
    assert.equal(logRoot(restarted.state), logRoot(continued.state));
  }
});

test('restoring with edges that do not fit the size is refused', () => {
  const log = memoryLog();
  log.append(leavesFrom(0, 300));
  assert.throws(() => restoreLog(301, log.edges()), { code: 'bad_tile' });
  assert.throws(() => restoreLog(300, log.edges().slice(1)), { code: 'bad_tile' });
  assert.throws(() => restoreLog(-1, []), { code: 'bad_size' });
});

test('appending does not change the state it started from', () => {
  const before = appendLeaves(restoreLog(0, []), leavesFrom(0, 300)).state;
  const copy = {
    size: before.size,
    peaks: [...before.peaks],
    edges: before.edges.map((edge) => Buffer.from(edge)),
  };
  const [one, other] = [
    appendLeaves(before, leavesFrom(1000, 500)),
    appendLeaves(before, leavesFrom(300, 500)),
  ];
  assert.deepEqual(before, copy);
  assert.notEqual(logRoot(one.state), logRoot(other.state));
  assert.equal(logRoot(other.state), plainRoot(data(800)));
});
