// Makes inclusion and consistency proofs from stored tiles; verify-proof.ts checks them.
import { LedgerError } from './error.ts';
import { checkSize, HASH_BYTES, type Hash, nodeHash, subtreeRoot } from './merkle.ts';
import { TILE_HEIGHT, TILE_WIDTH, type TileId, tileWidth } from './tiles.ts';

/** Returns the first `width` hashes of a tile. A wider tile starts with the same ones, so it may be truncated. */
export type ReadTile = (tile: TileId) => Promise<Buffer>;

/** The leaves [start, end); always a part that RFC 6962 splits off, so `start` is aligned. */
interface Range {
  start: number;
  end: number;
}

/** A perfect subtree: 2^height leaves, the `index`-th of that height. */
interface Node {
  height: number;
  index: number;
}

/** RFC 6962, section 2.1.1: from the leaf's sibling up to the root's child. */
export async function inclusionProof(read: ReadTile, index: number, size: number): Promise<Hash[]> {
  checkSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) {
    throw new LedgerError('bad_size', `a tree of ${size} has no leaf ${index}`);
  }
  const path: Range[] = [];
  let whole: Range = { start: 0, end: size };
  while (whole.end - whole.start > 1) {
    const [left, right] = split(whole);
    path.unshift(index < left.end ? right : left);
    whole = index < left.end ? left : right;
  }
  return hashesOfRanges(read, path, size);
}

/** RFC 6962, section 2.1.2. Empty when there is nothing to prove: from the empty tree, or between equal sizes. */
export async function consistencyProof(read: ReadTile, from: number, to: number): Promise<Hash[]> {
  if (checkSize(from) > checkSize(to)) throw new LedgerError('bad_size', `${from} is more than ${to}`);
  if (from === 0 || from === to) return [];
  const path: Range[] = [];
  let whole: Range = { start: 0, end: to };
  while (whole.end !== from) {
    const [left, right] = split(whole);
    path.unshift(from <= left.end ? right : left);
    whole = from <= left.end ? left : right;
  }
  // The verifier has the old root, so the remaining node is sent only when it is not the whole old tree.
  if (whole.start > 0) path.unshift(whole);
  return hashesOfRanges(read, path, to);
}

function split({ start, end }: Range): [left: Range, right: Range] {
  let half = 1;
  while (half * 2 < end - start) half *= 2;
  return [
    { start, end: start + half },
    { start: start + half, end },
  ];
}

export async function hashesOfRanges(
  read: ReadTile,
  ranges: readonly Range[],
  size: number,
): Promise<Hash[]> {
  const parts = ranges.map(perfectParts);
  const wanted = new Map(parts.flat().map((node) => [tileKey(node), tileHolding(node, size)]));
  const tiles = new Map<string, Buffer>();
  await Promise.all(
    Array.from(wanted, async ([key, id]) => {
      const hashes = await read(id);
      if (hashes.length !== id.width * HASH_BYTES) {
        throw new LedgerError('bad_tile', `tile ${id.index} of level ${id.level} is not ${id.width} wide`);
      }
      tiles.set(key, hashes);
    }),
  );
  const rootOfNode = (node: Node): Hash => {
    const count = 2 ** (node.height % TILE_HEIGHT);
    return subtreeRoot(tiles.get(tileKey(node)) as Buffer, (node.index * count) % TILE_WIDTH, count);
  };
  return parts.map((nodes) => nodes.map(rootOfNode).reduceRight((right, left) => nodeHash(left, right)));
}

/** The perfect subtrees of a range, largest first. */
function perfectParts({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end; ) {
    let height = 0;
    while (2 ** (height + 1) <= end - at) height++;
    nodes.push({ height, index: at / 2 ** height });
    at += 2 ** height;
  }
  return nodes;
}

function tileHolding({ height, index }: Node, size: number): TileId {
  const level = Math.floor(height / TILE_HEIGHT);
  const tile = Math.floor((index * 2 ** (height % TILE_HEIGHT)) / TILE_WIDTH);
  return { level, index: tile, width: tileWidth(size, level, tile) };
}

function tileKey({ height, index }: Node): string {
  const level = Math.floor(height / TILE_HEIGHT);
  return `${level}/${Math.floor((index * 2 ** (height % TILE_HEIGHT)) / TILE_WIDTH)}`;
}
