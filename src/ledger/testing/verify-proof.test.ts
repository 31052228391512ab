import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leafHash } from '../merkle.ts';
import { plainConsistency, plainInclusion, plainRoot } from './plain-tree.ts';
import { consistencies, emptyRoot, inclusions, inputs, roots } from './reference-tree.ts';
import { verifyConsistency, verifyInclusion } from './verify-proof.ts';

const other = 'abacaba000000000000000000000000000000000000000000060061e00123456';
const flipped = (hash: string) => (hash.startsWith('0') ? '1' : '0') + hash.slice(1);

/** The alterations of a proof that proof/verify_test.go of transparency-dev/merkle tries. */
function spoiltProofs(proof: readonly string[], root: string): string[][] {
  return [
    [...proof, ''],
    [...proof, root],
    ['', ...proof],
    [root, ...proof],
    [...proof, other],
    ...proof.map((_, i) => proof.toSpliced(i, 1)),
    ...proof.map((hash, i) => proof.with(i, flipped(hash))),
    ...proof.map((hash, i) => proof.with(i, hash.toUpperCase() === hash ? `${hash}0` : hash.toUpperCase())),
  ];
}

test('inclusion: the reference proofs verify, and altered ones do not', () => {
  for (const { index, size, proof } of inclusions) {
    const claim = {
      index,
      size,
      proof,
      leaf: leafHash(inputs[index] as Buffer),
      root: roots[size - 1] as string,
    };
    assert.ok(verifyInclusion(claim));
    const near = [
      ...[index - 1, index + 1, index ^ 2, 0.5, Number.NaN].map((wrong) => ({ ...claim, index: wrong })),
      ...[size * 2, Math.floor(size / 2)].map((wrong) => ({ ...claim, size: wrong })),
      ...[other, '', emptyRoot].map((wrong) => ({ ...claim, leaf: wrong })),
      ...[other, '', emptyRoot].map((wrong) => ({ ...claim, root: wrong })),
      ...spoiltProofs(proof, claim.root).map((wrong) => ({ ...claim, proof: wrong })),
    ];
    for (const wrong of near) assert.equal(verifyInclusion(wrong), false, JSON.stringify(wrong));
  }
});

test('consistency: the reference proofs verify, and altered ones do not', () => {
  for (const { from, to, proof } of consistencies) {
    const claim = { from, to, proof, fromRoot: roots[from - 1] as string, toRoot: roots[to - 1] as string };
    assert.ok(verifyConsistency(claim));
    if (from === to) continue;
    const near = [
      ...[from - 1, from + 1, from ^ 2].map((wrong) => ({ ...claim, from: wrong })),
      ...[to * 2, Math.floor(to / 2)].map((wrong) => ({ ...claim, to: wrong })),
      { ...claim, fromRoot: claim.toRoot, toRoot: claim.fromRoot },
      { ...claim, fromRoot: other },
      { ...claim, toRoot: other },
      { ...claim, proof: [] },
      ...spoiltProofs(proof, claim.toRoot).map((wrong) => ({ ...claim, proof: wrong })),
    ];
    for (const wrong of near) assert.equal(verifyConsistency(wrong), false, JSON.stringify(wrong));
  }
});

test('consistency where there is nothing to prove', () => {
  const [a, b] = [roots[0] as string, roots[1] as string];
  const verdict = (from: number, to: number, fromRoot: string, toRoot: string, proof: string[] = []) =>
    verifyConsistency({ from, to, fromRoot, toRoot, proof });
  assert.equal(verdict(0, 0, emptyRoot, emptyRoot), true);
  assert.equal(verdict(0, 1, emptyRoot, a), true);
  assert.equal(verdict(1, 1, a, a), true);
  assert.equal(verdict(1, 1, a, b), false);
  assert.equal(verdict(0, 1, other, a), false, 'the root of an empty tree is known');
  assert.equal(verdict(0, 1, emptyRoot, a, [a]), false);
  assert.equal(verdict(1, 1, a, a, [a]), false);
  assert.equal(verdict(2, 1, b, a), false);
  assert.equal(verdict(1, 2, a, b), false);
});

test('every proof made by the definition verifies', () => {
  const data = Array.from({ length: 80 }, (_, i) => Buffer.from(String(i)));
  fc.assert(
    fc.property(fc.nat(79), fc.nat(79), (a, b) => {
      const [small, large] = [Math.min(a, b), Math.max(a, b) + 1];
      const leaves = data.slice(0, large);
      const root = plainRoot(leaves);
      const leaf = leafHash(data[small] as Buffer);
      const proof = plainInclusion(small, leaves);
      assert.ok(verifyInclusion({ index: small, size: large, leaf, root, proof }));
      if (small === 0) return;
      const fromRoot = plainRoot(leaves.slice(0, small));
      const grown = plainConsistency(small, leaves);
      assert.ok(verifyConsistency({ from: small, to: large, fromRoot, toRoot: root, proof: grown }));
    }),
  );
});
