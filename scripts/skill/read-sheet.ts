import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { CsvError } from '../../src/sources/core/rows/table.ts';
import { parseSheet, type Sheet } from '../../src/sources/csv.ts';

/** Reads plain or gzipped CSV; the two magic bytes decide, not the name. */
export async function readSheet(path: string): Promise<Sheet> {
  const bytes = await readFile(path).catch((cause: Error) => {
    throw new CsvError(`${path}: cannot be read (${cause.message})`);
  });
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return parseSheet((zipped ? gunzipSync(bytes) : bytes).toString('utf8'));
  } catch (cause) {
    throw new CsvError(`${path}: ${(cause as Error).message}`);
  }
}
