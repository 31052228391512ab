// Tables with a header and rows of the same length: imports of operators and the data of scripts/skill.ts.
import { CsvError, parseTable } from './core/rows/table.ts';

/** A CSV as its header and its rows of text, every row as long as the header. */
export interface Sheet {
  columns: string[];
  rows: string[][];
  /** The number of each row, as a spreadsheet counts them. */
  numbers: number[];
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
