// Builds the table of an operation that can be exported as CSV.
import type { Cell } from '../../domain/text/csv.ts';

/** Newest rows first, in batches of a few hundred. */
export interface Table {
  /** Part of the name of the file that a browser saves. */
  name: string;
  columns: readonly string[];
  batches: AsyncIterable<readonly (readonly Cell[])[]>;
}

/** `cells` gives each column, in order: its name and how its value is read from a row. */
export function createTable<Row>(
  name: string,
  batches: AsyncIterable<readonly Row[]>,
  cells: Record<string, (row: Row) => Cell>,
): Table {
  const read = Object.values(cells);
  async function* cellBatches() {
    for await (const rows of batches) yield rows.map((row) => read.map((cell) => cell(row)));
  }
  return { name, columns: Object.keys(cells), batches: cellBatches() };
}

/** The table with one more column, the same in every row. */
export function withConstant({ name, columns, batches }: Table, column: string, value: Cell): Table {
  async function* extendRows() {
    for await (const rows of batches) yield rows.map((row) => [...row, value]);
  }
  return { name, columns: [...columns, column], batches: extendRows() };
}

/** The table with these of its columns. */
export function withColumns({ name, columns, batches }: Table, names: readonly string[]): Table {
  const places = names.map((column) => columns.indexOf(column));
  async function* chooseColumns() {
    for await (const rows of batches) yield rows.map((row) => places.map((at) => row[at] ?? null));
  }
  return { name, columns: names, batches: chooseColumns() };
}
