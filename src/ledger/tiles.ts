import { checkSize } from './merkle.ts';

/** C2SP tlog-tiles: a tile has 256 hashes, so each level of tiles covers eight levels of the tree. */
export const TILE_WIDTH = 256;
export const TILE_HEIGHT = 8;

export interface TileId {
  level: number;
  index: number;
  /** How many hashes: 256 in a complete tile, fewer at the right edge of the tree. */
  width: number;
}

/** How many hashes a tree of `size` leaves has at a level of tiles. */
export function hashesAtLevel(size: number, level: number): number {
  return Math.floor(size / TILE_WIDTH ** level);
}

/** 0 for a tile that a tree of this size does not have. */
export function tileWidth(size: number, level: number, index: number): number {
  return Math.min(TILE_WIDTH, Math.max(0, hashesAtLevel(size, level) - index * TILE_WIDTH));
}

/** The right edge of a tree: its incomplete tile at each level that has one. */
export function edgeTiles(size: number): TileId[] {
  const tiles: TileId[] = [];
  for (let level = 0; hashesAtLevel(checkSize(size), level) > 0; level++) {
    const hashes = hashesAtLevel(size, level);
    if (hashes % TILE_WIDTH === 0) continue;
    tiles.push({ level, index: Math.floor(hashes / TILE_WIDTH), width: hashes % TILE_WIDTH });
  }
  return tiles;
}
