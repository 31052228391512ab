import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { logRoot } from './log-writer.ts';
import { type Hash, leafHash } from './merkle.ts';
import { consistencyProof, hashesOfRanges, inclusionProof, type ReadTile } from './proof.ts';
import { memoryLog } from './testing/memory-log.ts';
import { plainConsistency, plainInclusion, plainRoot } from './testing/plain-tree.ts';
import { consistencies, inclusions, inputs, roots } from './testing/reference-tree.ts';

const data = Array.from({ length: 1500 }, (_, i) => Buffer.from(String(i)));
const makeLog = (leaves: readonly Buffer[]) => {
  const log = memoryLog();
  log.append(leaves.map(leafHash));
  return log;
};

async function rootFromTiles(read: ReadTile, size: number): Promise<Hash | undefined> {
  const [root] = await hashesOfRanges(read, [{ start: 0, end: size }], size);
  return root;
}

test('the proofs of the reference tree', async () => {
  const log = makeLog(inputs);
  for (const { index, size, proof } of inclusions) {
    assert.deepEqual(await inclusionProof(log.read, index, size), proof);
  }
  for (const { from, to, proof } of consistencies) {
    assert.deepEqual(await consistencyProof(log.read, from, to), proof);
  }
  for (const [i, root] of roots.entries()) assert.equal(await rootFromTiles(log.read, i + 1), root);
});

test('proofs agree with the definition at every size of a growing log', async () => {
  const log = makeLog(data);
  await fc.assert(
    fc.asyncProperty(fc.nat(1499), fc.nat(1499), async (a, b) => {
      const [small, large] = [Math.min(a, b), Math.max(a, b) + 1];
      const leaves = data.slice(0, large);
      assert.deepEqual(await inclusionProof(log.read, small, large), plainInclusion(small, leaves));
      assert.equal(await rootFromTiles(log.read, large), plainRoot(leaves));
      if (small > 0) {
        assert.deepEqual(await consistencyProof(log.read, small, large), plainConsistency(small, leaves));
      }
    }),
    { numRuns: 60 },
  );
});

test('a proof in a tree of several levels reads only a few tiles', async () => {
  const log = memoryLog();
  const leaf: Hash = leafHash('x');
  log.append(new Array<Hash>(200_000).fill(leaf));
  const { size } = log.state();
  await inclusionProof(log.read, 1234, size);
  assert.ok(log.reads() <= 6, `${log.reads()} tiles`);
  assert.equal(await rootFromTiles(log.read, size), logRoot(log.state()));
});

test('leaves and sizes outside the tree are refused', async () => {
  const { read } = makeLog(inputs);
  for (const [index, size] of [
    [8, 8],
    [0, 0],
    [-1, 8],
    [0.5, 8],
    [Number.NaN, 8],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    await assert.rejects(inclusionProof(read, index, size), { code: 'bad_size' });
  }
  await assert.rejects(consistencyProof(read, 5, 4), { code: 'bad_size' });
  await assert.rejects(
    inclusionProof(async () => Buffer.alloc(31), 0, 8),
    { code: 'bad_tile' },
  );
});
