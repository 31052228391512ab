import { hash } from 'node:crypto';
import { HASH_BYTES, TILE_WIDTH } from './source.ts';

/** RFC 6962 hashing over bytes. Written independently of src/ledger, so that one mistake cannot be in both. */
const leaf = Buffer.alloc(1 + 0xffff);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** A string of 32 characters of one byte each, which is fast to compare with a hash in a tile. */
export function leafDigest(entry: Buffer): string {
  entry.copy(leaf, 1);
  return hash('sha256', leaf.subarray(0, 1 + entry.length), 'binary');
}

export const digestAt = (hashes: Buffer, position: number): string =>
  hashes.toString('binary', position * HASH_BYTES, (position + 1) * HASH_BYTES);

/** The root over any number of neighbouring hashes, paired level by level; one without a sibling moves up unchanged. */
export function rootOver(hashes: Buffer): Buffer {
  const row = Buffer.from(hashes);
  for (let width = row.length / HASH_BYTES; width > 1; width = Math.ceil(width / 2)) {
    for (let i = 0; i < width; i += 2) {
      const [from, to] = [i * HASH_BYTES, (i / 2) * HASH_BYTES];
      if (i + 1 === width) row.copy(row, to, from, from + HASH_BYTES);
      else {
        row.copy(node, 1, from, from + 2 * HASH_BYTES);
        row.write(hash('sha256', node, 'binary'), to, 'binary');
      }
    }
  }
  return row.subarray(0, HASH_BYTES);
}

/** Computes the upper tiles and the root of a log from its leaves, without holding the leaves. */
export interface Tower {
  /** Adds the root of the next complete tile of level 0. */
  add(root: Uint8Array): Promise<void>;
  /** The incomplete tile of each level above 0, lowest first. */
  edges(): { level: number; index: number; hashes: Buffer }[];
  /** The root of the tree of all leaves under what was added, followed by the leaf hashes `last`. */
  root(last: Buffer): Buffer;
}

/** `complete` is called for each complete tile above level 0, to compare it with the served one. */
export function tower(complete: (level: number, index: number, hashes: Buffer) => Promise<void>): Tower {
  /** From level 1 up: for each level, the hashes that are not part of a complete tile yet. */
  const levels: { hashes: Buffer; width: number; index: number }[] = [];
  const usedHashes = ({ hashes, width }: { hashes: Buffer; width: number }): Buffer =>
    hashes.subarray(0, width * HASH_BYTES);

  const add = async (root: Uint8Array, level: number): Promise<void> => {
    const tile = levels[level - 1] ?? { hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES), width: 0, index: 0 };
    levels[level - 1] = tile;
    tile.hashes.set(root, tile.width * HASH_BYTES);
    tile.width++;
    if (tile.width < TILE_WIDTH) return;
    await complete(level, tile.index, tile.hashes);
    await add(rootOver(tile.hashes), level + 1);
    tile.width = 0;
    tile.index++;
  };
  return {
    add: (root) => add(root, 1),
    edges: () =>
      levels
        .map((tile, i) => ({ level: i + 1, index: tile.index, hashes: usedHashes(tile) }))
        .filter(({ hashes }) => hashes.length > 0),
    root(last) {
      // Everything to the right of a level's hashes is one more hash at that level, however incomplete its subtree is.
      const top = levels.reduce<Buffer>(
        (right, tile) => Buffer.concat([usedHashes(tile), right.length === 0 ? right : rootOver(right)]),
        last,
      );
      return top.length === 0 ? hash('sha256', '', 'buffer') : rootOver(top);
    },
  };
}
