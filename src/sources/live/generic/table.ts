// CSV text → rows of cells, RFC 4180 with any delimiter and quote. Bounded in rows and columns.
import { FeedShapeError } from '../../core/adapter.ts';

export interface TableFormat {
  delimiter?: string;
  /** Empty: nothing is quoted. */
  quote?: string;
}

const MOST_ROWS = 200_000;
const MOST_COLUMNS = 2000;
/** Longer than any id, time or number: a quote that is never closed, or no table. */
const MOST_CELL = 10_000;

/** Empty lines are left out. A quoted cell may hold delimiters, quotes (doubled) and line breaks. */
export function parseTable(text: string, { delimiter = ',', quote = '"' }: TableFormat = {}): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const endRow = (): void => {
    if (row.length > 1 || row[0] !== '') {
      if (rows.length >= MOST_ROWS) throw new FeedShapeError(`expected at most ${MOST_ROWS} rows`);
      rows.push(row);
    }
    row = [];
  };
  let at = 0;
  while (at < text.length) {
    const [cell, end] = quote && text.startsWith(quote, at) ? quoted(text, at, quote) : ['', at];
    let stop = end;
    while (stop < text.length && text[stop] !== delimiter && text[stop] !== '\n' && text[stop] !== '\r')
      stop += 1;
    if (cell.length + stop - end > MOST_CELL)
      throw new FeedShapeError(`expected cells of at most ${MOST_CELL} characters`);
    // What follows a closing quote belongs to the cell, as spreadsheets read it.
    row.push(cell + text.slice(end, stop));
    if (row.length > MOST_COLUMNS) throw new FeedShapeError(`expected at most ${MOST_COLUMNS} columns`);
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
  return rows;
}

function quoted(text: string, from: number, quote: string): [string, number] {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const close = text.indexOf(quote, at);
    if (close < 0) throw new FeedShapeError('expected the end of a quoted cell');
    cell += text.slice(at, close);
    if (text[close + 1] !== quote) return [cell, close + 1];
    cell += quote;
    at = close + 2;
  }
}
