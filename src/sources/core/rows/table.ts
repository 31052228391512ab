// CSV text → rows of cells, RFC 4180 with any delimiter and quote. Bounded in rows, columns and cells: the contents of
// feeds and of operators' files are untrusted.
import { FeedShapeError, MOST_ROWS } from '../adapter.ts';

export interface TableFormat {
  delimiter?: string;
  /** Empty: nothing is quoted. */
  quote?: string;
  most_rows?: number;
}

export interface Table {
  rows: string[][];
  /** The number of each row, as a spreadsheet counts them: the first is 1, and empty ones count. */
  numbers: number[];
}

/** The message names the row. */
export class CsvError extends FeedShapeError {}

const MOST_COLUMNS = 2000;
/** Longer than any id, time or number: a quote that is never closed, or no table. */
const MOST_CELL = 10_000;

/** Empty lines are left out. A quoted cell may hold delimiters, quotes (doubled) and line breaks. */
export function parseTable(
  text: string,
  { delimiter = ',', quote = '"', most_rows = MOST_ROWS }: TableFormat = {},
): Table {
  const rows: string[][] = [];
  const numbers: number[] = [];
  let row: string[] = [];
  let number = 1;
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') {
      if (rows.length >= most_rows) throw new CsvError(`expected at most ${most_rows} rows`);
      rows.push(row);
      numbers.push(number);
    }
    row = [];
    number += 1;
  };
  let at = 0;
  while (at < text.length) {
    const [cell, end] = quote && text.startsWith(quote, at) ? readQuoted(text, at, quote, number) : ['', at];
    let stop = end;
    while (stop < text.length && text[stop] !== delimiter && text[stop] !== '\n' && text[stop] !== '\r')
      stop += 1;
    if (cell.length + stop - end > MOST_CELL)
      throw new CsvError(`row ${number}: expected cells of at most ${MOST_CELL} characters`);
    // What follows a closing quote belongs to the cell, as spreadsheets read it.
    row.push(cell + text.slice(end, stop));
    if (row.length > MOST_COLUMNS)
      throw new CsvError(`row ${number}: expected at most ${MOST_COLUMNS} columns`);
    if (stop >= text.length) break;
    at = stop + 1;
    if (text[stop] === delimiter) {
      // A delimiter at the very end leaves one more empty cell.
      if (at === text.length) row.push('');
      continue;
    }
    if (text[stop] === '\r' && text[at] === '\n') at += 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return { rows, numbers };
}

function readQuoted(text: string, from: number, quote: string, row: number): [string, number] {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) throw new CsvError(`row ${row} has a quoted cell that does not end`);
    cell += text.slice(at, close);
    if (text[close + 1] !== quote) return [cell, close + 1];
    cell += quote;
    at = close + 2;
  }
}
