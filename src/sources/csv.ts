// Parses CSV files: imports of operators and the data of scripts/skill.ts. The contents are untrusted.
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** A CSV as its header and its rows of text, every row as long as the header. */
export interface Sheet {
  columns: string[];
  rows: string[][];
  /** The line of the file that each row stands on. */
  lines: number[];
}

export class CsvError extends Error {}

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

export function parseSheet(text: string): Sheet {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const head = lines[0];
  if (!head?.trim()) throw new CsvError('the file is empty');
  const columns = fieldsOf(head, 1).map((name) => name.trim());
  const rows: string[][] = [];
  const places: number[] = [];
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (line === '') continue;
    const fields = line.includes('"') ? fieldsOf(line, i + 1) : line.split(',');
    if (fields.length !== columns.length)
      throw new CsvError(`line ${i + 1} has ${fields.length} fields where the header has ${columns.length}`);
    rows.push(fields);
    places.push(i + 1);
  }
  return { columns, rows, lines: places };
}

/** One line of RFC 4180, without line breaks inside a field. */
function fieldsOf(line: string, place: number): string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') {
      field += '"';
      i += 1;
    } else if (c === '"') quoted = !quoted;
    else if (c === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += c;
  }
  if (quoted) throw new CsvError(`line ${place} has a quoted field that does not end on it`);
  return [...fields, field];
}
