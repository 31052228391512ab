// Bytes that a process does not need until the next slot and has no room for: the learned state of the forecasters of a
// city of thousands of pockets.
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The forecasters of some two thousand pockets. */
const IN_MEMORY = 64_000_000;

interface Stored {
  /** Where its first block begins in the file. */
  at: number;
  lengths: readonly number[];
}

/**
 * Keeps lists of blocks in memory up to a limit and the others in a file. Which ones stay in memory does not change:
 * all are asked for in turn, so that whatever had been used longest ago would be the next one wanted.
 */
export class BlockFile {
  readonly #limit: number;
  readonly #folder: string;
  /** Bytes, by key. */
  readonly #kept = new Map<string, number>();
  readonly #stored = new Map<string, Stored>();
  /** Those put last, to be read into: to allocate as many for each reading would keep the garbage collector busy. */
  #free: Uint8Array[] = [];
  #file: number | undefined;
  #end = 0;

  constructor(folder: string = tmpdir(), limit = IN_MEMORY) {
    this.#folder = folder;
    this.#limit = limit;
  }

  /** True when the blocks are in the file; the caller lets go of them then. */
  put(key: string, blocks: readonly Uint8Array[]): boolean {
    if (this.#keeps(key, blocks)) return false;
    try {
      this.#write(key, blocks);
    } catch {
      // Without room on the disk they stay where they are.
      return false;
    }
    this.#free = [...blocks];
    return true;
  }

  /** The blocks as they were put; undefined when they never were. */
  take(key: string): Uint8Array[] | undefined {
    const stored = this.#stored.get(key);
    const file = this.#file;
    if (!stored || file === undefined) return undefined;
    let { at } = stored;
    return stored.lengths.map((length) => {
      const block = this.#freeBlock(length);
      for (let read = 0; read < length; ) {
        const count = readSync(file, block, read, length - read, at + read);
        if (count === 0) throw new Error('the file of forecasters is shorter than what was written to it');
        read += count;
      }
      at += length;
      return block;
    });
  }

  #keeps(key: string, blocks: readonly Uint8Array[]): boolean {
    const size = byteLength(blocks);
    const others = [...this.#kept].reduce((sum, [other, bytes]) => (other === key ? sum : sum + bytes), 0);
    const keeps = others + size <= this.#limit;
    if (keeps) this.#kept.set(key, size);
    else this.#kept.delete(key);
    return keeps;
  }

  #write(key: string, blocks: readonly Uint8Array[]): void {
    this.#file ??= openNameless(this.#folder);
    const before = this.#stored.get(key);
    const fits = before?.lengths.join() === blocks.map(({ length }) => length).join();
    const start = before && fits ? before.at : this.#end;
    this.#stored.delete(key);
    let at = start;
    for (const block of blocks)
      for (let written = 0; written < block.length; ) {
        const count = writeSync(this.#file, block, written, block.length - written, at);
        written += count;
        at += count;
      }
    this.#end = Math.max(this.#end, at);
    this.#stored.set(key, { at: start, lengths: blocks.map(({ length }) => length) });
  }

  #freeBlock(length: number): Uint8Array {
    const at = this.#free.findIndex((block) => block.length === length);
    return at < 0 ? new Uint8Array(length) : (this.#free.splice(at, 1)[0] as Uint8Array);
  }
}

const byteLength = (blocks: readonly Uint8Array[]): number =>
  blocks.reduce((sum, { length }) => sum + length, 0);

/** The file has no name any more, so that it is gone with the process, however that ends. */
function openNameless(folder: string): number {
  const own = mkdtempSync(join(folder, 'forecasters-'));
  try {
    return openSync(join(own, 'blocks'), 'wx+', 0o600);
  } finally {
    rmSync(own, { recursive: true });
  }
}
