import { LedgerError } from './error.ts';
import { hashesAtLevel, TILE_WIDTH, type TileId, tileWidth } from './tiles.ts';

/** A tile of hashes at a level, or the bundle of the entries under a tile of level 0. */
export interface TilePath extends Omit<TileId, 'level'> {
  level: number | 'entries';
}

/** 1234067 is `x001/x234/067`: no folder holds more than a thousand files. */
function groups(index: number): string {
  const last = String(index % 1000).padStart(3, '0');
  let path = last;
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
    path = `x${String(rest % 1000).padStart(3, '0')}/${path}`;
  }
  return path;
}

export function tilePath({ level, index, width }: TilePath): string {
  return `tile/${level}/${groups(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Allows the largest level and the longest index that a tree of safe integer size can have. */
const PATTERN =
  /^tile\/(?<level>[0-6]|entries)\/(?<groups>(?:x[0-9]{3}\/){0,5}[0-9]{3})(?:\.p\/(?<width>[1-9][0-9]{0,2}))?$/;

/** The client controls the whole path. Each tile has one spelling, so that caches cannot be filled with variants. */
export function parseTilePath(path: string): TilePath {
  const found = PATTERN.exec(path)?.groups;
  if (!found) throw new LedgerError('bad_path', 'not the path of a tile');
  const level = found.level === 'entries' ? 'entries' : Number(found.level);
  const index = Number((found.groups as string).replaceAll(/[x/]/g, ''));
  const width = found.width === undefined ? TILE_WIDTH : Number(found.width);
  const parsed: TilePath = { level, index, width };
  if (!Number.isSafeInteger(index) || width > TILE_WIDTH || tilePath(parsed) !== path) {
    throw new LedgerError('bad_path', 'not the path of a tile');
  }
  return parsed;
}

/** What a tree of `size` leaves has and one of `earlier` leaves has not: bundles of entries, then tiles of each level. */
export function* addedTiles(earlier: number, size: number): Generator<TilePath> {
  for (const index of widenedTiles(earlier, size, 0))
    yield { level: 'entries', index, width: tileWidth(size, 0, index) };
  for (let level = 0; hashesAtLevel(size, level) > 0; level++)
    for (const index of widenedTiles(earlier, size, level))
      yield { level, index, width: tileWidth(size, level, index) };
}

function* widenedTiles(earlier: number, size: number, level: number): Generator<number> {
  const first = Math.floor(hashesAtLevel(earlier, level) / TILE_WIDTH);
  for (let index = first; tileWidth(size, level, index) > tileWidth(earlier, level, index); index++)
    yield index;
}
