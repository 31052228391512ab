// Tables with a header and rows of the same length: imports of operators and the data of scripts/skill.ts.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { CsvError, parseTable } from './core/rows/table.ts';

/** A CSV as its header and its rows of text, every row as long as the header. */
export interface Sheet {
  columns: string[];
  rows: string[][];
  /** The number of each row, as a spreadsheet counts them. */
  numbers: number[];
}

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

/** The number of rows is the caller's to bound: recordings of years have millions. */
export function parseSheet(text: string): Sheet {
  const { rows, numbers } = parseTable(text.replace(/^\uFEFF/, ''), { most_rows: Infinity });
  const columns = rows.shift()?.map((name) => name.trim());
  numbers.shift();
  if (!columns?.some(Boolean)) throw new CsvError('the file is empty');
  for (const [i, cells] of rows.entries())
    if (cells.length !== columns.length)
      throw new CsvError(
        `row ${numbers[i]} has ${cells.length} fields where the header has ${columns.length}`,
      );
  return { columns, rows, numbers };
}
