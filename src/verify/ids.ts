// Finds ids that occur twice in a log of any size.

/** The first capacity, in ids; a power of two. */
const FIRST = 1 << 12;

/**
 * A hash table from the hash of an id to its leaf, at most half full: 32 to 64 bytes an id, whatever its length. Two ids
 * may share a hash, so the caller compares the ids themselves.
 */
export class IdTable {
  #hashes = new Float64Array(2 * FIRST).fill(-1);
  #leaves = new Float64Array(2 * FIRST);
  #count = 0;

  /** Adds an id, and returns the leaves before it whose ids have the same hash. */
  add(hash: number, leaf: number): number[] {
    if (2 * this.#count >= this.#hashes.length) this.#grow();
    this.#count++;
    return this.#insert(hash, leaf);
  }

  #insert(hash: number, leaf: number): number[] {
    const mask = this.#hashes.length - 1;
    const same: number[] = [];
    let at = hash % this.#hashes.length;
    for (; this.#hashes[at] !== -1; at = (at + 1) & mask)
      if (this.#hashes[at] === hash) same.push(this.#leaves[at] as number);
    this.#hashes[at] = hash;
    this.#leaves[at] = leaf;
    return same;
  }

  #grow(): void {
    const [hashes, leaves] = [this.#hashes, this.#leaves];
    this.#hashes = new Float64Array(2 * hashes.length).fill(-1);
    this.#leaves = new Float64Array(2 * hashes.length);
    for (let at = 0; at < hashes.length; at++)
      if (hashes[at] !== -1) this.#insert(hashes[at] as number, leaves[at] as number);
  }
}

/** 52 bits, exactly representable as a number. Not cryptographic: a collision costs a comparison, nothing more. */
export function idHash(id: string): number {
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return ((high ^ (high >>> 15)) >>> 0) * 0x100000 + (low & 0xfffff);
}
