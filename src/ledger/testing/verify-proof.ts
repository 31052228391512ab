// Checks proofs as RFC 9162, sections 2.1.3.2 and 2.1.4.2, describes.
import { EMPTY_ROOT, type Hash, nodeHash } from '../merkle.ts';

const HEX = /^[0-9a-f]{64}$/;

/** The sender controls the proof: its length, its order and every hash in it. */
export function verifyInclusion(claim: {
  index: number;
  size: number;
  leaf: Hash;
  root: Hash;
  proof: readonly Hash[];
}): boolean {
  const { index, size, leaf, root, proof } = claim;
  if (!isSize(index) || !isSize(size) || index >= size || ![leaf, root, ...proof].every(isHash)) return false;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    // A right child, or the last node of a row without a sibling: then go up to where it is a right child.
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash === root;
}

export function verifyConsistency(claim: {
  from: number;
  to: number;
  fromRoot: Hash;
  toRoot: Hash;
  proof: readonly Hash[];
}): boolean {
  const { from, to, fromRoot, toRoot, proof } = claim;
  if (!isSize(from) || !isSize(to) || from > to || ![fromRoot, toRoot, ...proof].every(isHash)) return false;
  if (from === 0 && fromRoot !== EMPTY_ROOT) return false;
  if (from === to) return proof.length === 0 && fromRoot === toRoot;
  if (from === 0) return proof.length === 0;

  let node = from - 1;
  let last = to - 1;
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // When the old tree is perfect, its root is the first node of the path and is not sent.
  const path = node === 0 ? [fromRoot, ...proof] : proof;
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let oldHash = first;
  let newHash = first;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else newHash = nodeHash(newHash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && oldHash === fromRoot && newHash === toRoot;
}

const half = (n: number): number => Math.floor(n / 2);
const isSize = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
const isHash = (hash: Hash): boolean => typeof hash === 'string' && HEX.test(hash);
