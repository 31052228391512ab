// The entries of a complete tile of level 0 as the store has them: a line each, compressed with zstd. The payload hash of
// an entry follows from its payload, and 32 bytes of it would not compress: it is left out and computed when it is read.
// As they are published, bundles have the whole entries (src/ledger/entry.ts).
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type EntryType, MAX_ENTRY_BYTES } from '../../ledger/entry.ts';
import { LedgerError } from '../../ledger/error.ts';
import { TILE_WIDTH } from '../../ledger/tiles.ts';

export interface UnhashedEntry {
  type: EntryType;
  id: string;
  /** The canonical text that was hashed. */
  payload: string;
}

/**
 * Level 4 with the search of the levels above it takes 1.5 ms for a bundle: a third longer than level 4 alone, for a
 * fifteenth less, and less of both than level 9.
 */
const params = {
  [constants.ZSTD_c_compressionLevel]: 4,
  [constants.ZSTD_c_strategy]: constants.ZSTD_lazy2,
  [constants.ZSTD_c_checksumFlag]: 1,
};
const SEPARATOR = '\t';

/** Canonical JSON has neither line breaks nor tabs, and an id has neither. */
export function packBundle(entries: readonly UnhashedEntry[]): Buffer {
  if (entries.length !== TILE_WIDTH)
    throw new LedgerError('bad_entry', `a bundle has ${TILE_WIDTH} entries, not ${entries.length}`);
  const lines = entries.map(({ type, id, payload }) => `${type}${SEPARATOR}${id}${SEPARATOR}${payload}`);
  return zstdCompressSync(lines.join('\n'), { params });
}

/** The lines of a bundle. `parseLine` reads one: often a single one of them is wanted. */
export function unpackBundle(bytes: Uint8Array): string[] {
  try {
    const maxOutputLength = TILE_WIDTH * (MAX_ENTRY_BYTES + 1);
    return zstdDecompressSync(bytes, { maxOutputLength }).toString().split('\n');
  } catch (error) {
    throw new LedgerError('bad_entry', `a bundle cannot be unpacked: ${(error as Error).message}`);
  }
}

export function parseLine(line: string): UnhashedEntry {
  const [end = 0, start = 0] = separators(line);
  return {
    type: line.slice(0, end) as EntryType,
    id: line.slice(end + 1, start),
    payload: line.slice(start + 1),
  };
}

function separators(line: string): [number, number] {
  const first = line.indexOf(SEPARATOR);
  return [first, line.indexOf(SEPARATOR, first + 1)];
}
