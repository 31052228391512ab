import { LedgerError } from '../error.ts';
import type { Tile } from '../log-writer.ts';
import { checkSize, HASH_BYTES, type Hash, hashAt } from '../merkle.ts';
import { hashesAtLevel, TILE_WIDTH, type TileId, tileWidth } from '../tiles.ts';

/** The tiles that are completed or, at the right edge, widened when the tree grows from one size to the other. */
export function tilesBetween(from: number, to: number): TileId[] {
  if (checkSize(from) > checkSize(to)) throw new LedgerError('bad_size', `${from} is more than ${to}`);
  const tiles: TileId[] = [];
  for (let level = 0; hashesAtLevel(to, level) > 0; level++) {
    const before = hashesAtLevel(from, level);
    const after = hashesAtLevel(to, level);
    if (before === after) break;
    for (let index = Math.floor(before / TILE_WIDTH); index * TILE_WIDTH < after; index++) {
      tiles.push({ level, index, width: tileWidth(to, level, index) });
    }
  }
  return tiles;
}

/** The hashes of a tile as hex. */
export const tileHashes = ({ hashes }: Tile): Hash[] =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, i) => hashAt(hashes, i));
