// Finds positions of a list by a text, in eight bytes a position: a map from texts would be larger than what it finds.

/** FNV-1a, of which every bit then depends on all others. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 0;
}

/** The positions that may have the text of this hash, in their order: others may share it. */
export function indexHashes(hashes: Uint32Array): (hash: number) => number[] {
  const bits = Math.max(4, 32 - Math.clz32(hashes.length));
  const slotOf = (hash: number) => hash >>> (32 - bits);
  /** By slot the first position, and by position the next one of its slot, counted from 1. */
  const first = new Uint32Array(2 ** bits);
  const next = new Uint32Array(hashes.length + 1);
  for (let at = hashes.length; at > 0; at -= 1) {
    const slot = slotOf(hashes[at - 1] ?? 0);
    next[at] = first[slot] ?? 0;
    first[slot] = at;
  }
  return (hash) => {
    const found: number[] = [];
    for (let at = first[slotOf(hash)] ?? 0; at; at = next[at] ?? 0) found.push(at - 1);
    return found;
  };
}
