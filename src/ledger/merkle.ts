import { hash } from 'node:crypto';
import { LedgerError } from './error.ts';

/**
 * RFC 6962, section 2.1. A hash is 64 lowercase hex digits: a string is immutable and can be compared with `===`. The
 * prefix bytes 0 and 1 keep a node from being passed off as a leaf.
 */
export type Hash = string;

export const HASH_BYTES = 32;
export const EMPTY_ROOT: Hash = hash('sha256', '', 'hex');

export function leafHash(entry: string | Uint8Array): Hash {
  if (typeof entry === 'string') return hash('sha256', `\0${entry}`, 'hex');
  const bytes = new Uint8Array(entry.length + 1);
  bytes.set(entry, 1);
  return hash('sha256', bytes, 'hex');
}

const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export function nodeHash(left: Hash, right: Hash): Hash {
  node.write(left, 1, 'hex');
  node.write(right, 1 + HASH_BYTES, 'hex');
  return hash('sha256', node, 'hex');
}

export function hashAt(hashes: Buffer, position: number): Hash {
  return hashes.toString('hex', position * HASH_BYTES, (position + 1) * HASH_BYTES);
}

/** The root over `count` neighbouring hashes, a power of two. */
export function subtreeRoot(hashes: Buffer, position: number, count: number): Hash {
  if (count === 1) return hashAt(hashes, position);
  const row = Buffer.from(hashes.subarray(position * HASH_BYTES, (position + count) * HASH_BYTES));
  for (let width = count / 2; width >= 1; width /= 2) {
    for (let i = 0; i < width; i++) {
      row.copy(node, 1, 2 * i * HASH_BYTES, 2 * (i + 1) * HASH_BYTES);
      row.write(hash('sha256', node, 'binary'), i * HASH_BYTES, 'binary');
    }
  }
  return hashAt(row, 0);
}

/**
 * The roots of the perfect subtrees that a tree consists of, largest first: enough to append to it and to compute its
 * root. There is one for each bit set in the size.
 */
export type Peaks = readonly Hash[];

/** The right-most peak is the smallest, so the tree is folded from there. */
export function rootOfPeaks(peaks: Peaks): Hash {
  return peaks.length === 0 ? EMPTY_ROOT : peaks.reduceRight((right, left) => nodeHash(left, right));
}

/**
 * Adds a leaf to the peaks of a tree of `size` leaves, in place. `completed` is called for each perfect subtree that
 * the leaf completes: the leaf itself at height 0, then upwards.
 */
export function addLeaf(
  peaks: Hash[],
  size: number,
  leaf: Hash,
  completed: (height: number, root: Hash) => void,
): void {
  let root = leaf;
  completed(0, root);
  let height = 0;
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    root = nodeHash(peaks.pop() as Hash, root);
    completed(++height, root);
  }
  peaks.push(root);
}

/** Sizes also come from requests and from others' checkpoints, so they are checked. */
export function checkSize(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new LedgerError('bad_size', `not a tree size: ${size}`);
}
