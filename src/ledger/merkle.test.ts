import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addLeaf, EMPTY_ROOT, type Hash, leafHash, rootOfPeaks, subtreeRoot } from './merkle.ts';
import { plainRoot } from './testing/plain-tree.ts';
import { emptyRoot, inputs, roots } from './testing/reference-tree.ts';

const grow = (leaves: readonly Hash[]): Hash[] => {
  const peaks: Hash[] = [];
  leaves.forEach((leaf, i) => {
    addLeaf(peaks, i, leaf, () => {});
  });
  return peaks;
};

test('the roots of the reference tree, leaf by leaf', () => {
  assert.equal(EMPTY_ROOT, emptyRoot);
  assert.equal(rootOfPeaks([]), emptyRoot);
  roots.forEach((root, i) => {
    const leaves = inputs.slice(0, i + 1);
    assert.equal(rootOfPeaks(grow(leaves.map(leafHash))), root);
    assert.equal(plainRoot(leaves), root, 'the definition in the tests');
  });
});

test('a text and its UTF-8 bytes have the same leaf hash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(leafHash(text), leafHash(Buffer.from(text)));
    }),
  );
});

test('agrees with the definition for any leaves, with one peak for each bit set in the size', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 300 }), (data) => {
      const leaves = data.map((bytes) => Buffer.from(bytes));
      const peaks = grow(leaves.map(leafHash));
      assert.equal(rootOfPeaks(peaks), plainRoot(leaves));
      assert.equal(peaks.length, leaves.length.toString(2).replaceAll('0', '').length);
    }),
    { numRuns: 60 },
  );
});

test('the root over neighbouring hashes in a tile', () => {
  const leaves = inputs.map(leafHash);
  const tile = Buffer.from(leaves.join(''), 'hex');
  assert.equal(subtreeRoot(tile, 0, 8), roots[7]);
  assert.equal(subtreeRoot(tile, 0, 4), roots[3]);
  assert.equal(subtreeRoot(tile, 4, 4), plainRoot(inputs.slice(4)));
  assert.equal(subtreeRoot(tile, 7, 1), leaves[7]);
});
