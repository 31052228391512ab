import { createHash } from 'node:crypto';

/** The definitions of RFC 6962, section 2.1, taken literally: slow, recursive, and sharing no code with the ledger. */
const sha256 = (...parts: Buffer[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** The largest power of two smaller than n. */
const k = (n: number): number => 2 ** Math.floor(Math.log2(n - 1));

function mth(d: readonly Buffer[]): Buffer {
  if (d.length === 0) return sha256();
  if (d.length === 1) return sha256(Buffer.of(0), d[0] as Buffer);
  const split = k(d.length);
  return sha256(Buffer.of(1), mth(d.slice(0, split)), mth(d.slice(split)));
}

function path(m: number, d: readonly Buffer[]): Buffer[] {
  if (d.length === 1) return [];
  const split = k(d.length);
  return m < split
    ? [...path(m, d.slice(0, split)), mth(d.slice(split))]
    : [...path(m - split, d.slice(split)), mth(d.slice(0, split))];
}

function subproof(m: number, d: readonly Buffer[], whole: boolean): Buffer[] {
  if (m === d.length) return whole ? [] : [mth(d)];
  const split = k(d.length);
  return m <= split
    ? [...subproof(m, d.slice(0, split), whole), mth(d.slice(split))]
    : [...subproof(m - split, d.slice(split), false), mth(d.slice(0, split))];
}

const hex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'));

export const plainRoot = (leaves: readonly Buffer[]): string => mth(leaves).toString('hex');
export const plainInclusion = (index: number, leaves: readonly Buffer[]): string[] =>
  hex(path(index, leaves));
export const plainConsistency = (from: number, leaves: readonly Buffer[]): string[] =>
  hex(subproof(from, leaves, true));
