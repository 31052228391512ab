import { appendLeaves, isComplete, type LogState, restoreLog, type Tile } from '../log-writer.ts';
import { HASH_BYTES, type Hash } from '../merkle.ts';
import type { ReadTile } from '../proof.ts';

/** A log in memory that stores tiles as the real store does: complete ones once, and one edge for each level. */
export interface MemoryLog {
  state(): LogState;
  append(leaves: readonly Hash[]): Tile[];
  edges(): Tile[];
  read: ReadTile;
  /** How many tiles were read so far. */
  reads(): number;
}

export function memoryLog(): MemoryLog {
  let state = restoreLog(0, []);
  let reads = 0;
  const complete = new Map<string, Buffer>();
  const edges = new Map<number, Tile>();
  return {
    state: () => state,
    append(leaves) {
      const result = appendLeaves(state, leaves);
      state = result.state;
      for (const tile of result.tiles) {
        const key = `${tile.level}/${tile.index}`;
        if (complete.has(key)) throw new Error(`tile ${key} was complete already`);
        if (!isComplete(tile)) edges.set(tile.level, tile);
        else {
          complete.set(key, tile.hashes);
          edges.delete(tile.level);
        }
      }
      return result.tiles;
    },
    edges: () => [...edges.values()],
    async read({ level, index, width }) {
      reads++;
      const edge = edges.get(level);
      const hashes = complete.get(`${level}/${index}`) ?? (edge?.index === index ? edge.hashes : undefined);
      if (hashes === undefined) throw new Error(`no tile ${level}/${index}`);
      return hashes.subarray(0, width * HASH_BYTES);
    },
    reads: () => reads,
  };
}
