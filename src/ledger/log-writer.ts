// Appends leaves to the Merkle tree and returns the tiles that changed. Pure: the store reads and writes the tiles.
import { LedgerError } from './error.ts';
import { addLeaf, checkSize, HASH_BYTES, type Hash, type Peaks, rootOfPeaks, subtreeRoot } from './merkle.ts';
import { edgeTiles, hashesAtLevel, TILE_HEIGHT, TILE_WIDTH } from './tiles.ts';

/**
 * What appending needs: the size of the log, the incomplete tile at the right edge of each level, and the peaks, which
 * follow from those tiles. Immutable: appending returns a new state.
 */
export interface LogState {
  size: number;
  peaks: Peaks;
  /** By level; empty where the level has no incomplete tile. */
  edges: readonly Buffer[];
}

export interface Tile {
  level: number;
  index: number;
  /** The concatenated hashes, 32 bytes each; 256 of them when the tile is complete. */
  hashes: Buffer;
}

export const isComplete = ({ hashes }: Tile): boolean => hashes.length === TILE_WIDTH * HASH_BYTES;

export const logRoot = ({ peaks }: LogState): Hash => rootOfPeaks(peaks);

/** The state of a stored log from its size and its incomplete tiles. */
export function restoreLog(size: number, edges: readonly Tile[]): LogState {
  checkSize(size);
  const wanted = edgeTiles(size);
  const byLevel: Buffer[] = [];
  const peaks: Hash[] = [];
  for (let level = 0; hashesAtLevel(size, level) > 0; level++) byLevel.push(Buffer.alloc(0));
  for (const { level, index, width } of wanted.toReversed()) {
    const tile = edges.find((edge) => edge.level === level && edge.index === index);
    if (tile?.hashes.length !== width * HASH_BYTES) {
      throw new LedgerError(
        'bad_tile',
        `the edge at level ${level} of a log of ${size} is missing or not its width`,
      );
    }
    byLevel[level] = tile.hashes;
    peaks.push(...peaksOfTile(tile.hashes));
  }
  return { size, peaks, edges: byLevel };
}

function peaksOfTile(hashes: Buffer): Hash[] {
  const peaks: Hash[] = [];
  const width = hashes.length / HASH_BYTES;
  for (let count = TILE_WIDTH / 2, at = 0; count >= 1; count /= 2) {
    if ((width & count) === 0) continue;
    peaks.push(subtreeRoot(hashes, at, count));
    at += count;
  }
  return peaks;
}

/**
 * Appends leaves and returns the tiles that changed, complete ones first. A complete tile is final and stored once; the
 * others are the new edges and replace the edge stored for their level.
 */
export function appendLeaves(state: LogState, leaves: readonly Hash[]): { state: LogState; tiles: Tile[] } {
  const peaks = [...state.peaks];
  const completed: Tile[] = [];
  const open: OpenTile[] = [];
  const size = checkSize(state.size + leaves.length);

  const place = (height: number, root: Hash): void => {
    if (height % TILE_HEIGHT !== 0) return;
    const level = height / TILE_HEIGHT;
    let tile = open[level];
    if (tile === undefined) {
      tile = openTile(state, level);
      open[level] = tile;
    }
    tile.hashes.write(root, tile.width * HASH_BYTES, 'hex');
    tile.width++;
    if (tile.width < TILE_WIDTH) return;
    completed.push({ level, index: tile.index, hashes: tile.hashes });
    open[level] = { index: tile.index + 1, width: 0, hashes: Buffer.allocUnsafe(TILE_WIDTH * HASH_BYTES) };
  };
  leaves.forEach((leaf, i) => {
    addLeaf(peaks, state.size + i, leaf, place);
  });

  const edges = [...state.edges];
  const widened: Tile[] = [];
  open.forEach(({ index, width, hashes }, level) => {
    edges[level] = hashes.subarray(0, width * HASH_BYTES);
    if (width > 0) widened.push({ level, index, hashes: edges[level] });
  });
  return { state: { size, peaks, edges }, tiles: [...completed, ...widened] };
}

interface OpenTile {
  index: number;
  width: number;
  hashes: Buffer;
}

function openTile({ size, edges }: LogState, level: number): OpenTile {
  const edge = edges[level] ?? Buffer.alloc(0);
  const hashes = Buffer.allocUnsafe(TILE_WIDTH * HASH_BYTES);
  edge.copy(hashes);
  return {
    index: Math.floor(hashesAtLevel(size, level) / TILE_WIDTH),
    width: edge.length / HASH_BYTES,
    hashes,
  };
}
