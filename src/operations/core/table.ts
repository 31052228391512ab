// Builds the table of an operation that can be exported as CSV.
import type { Cell } from '../../domain/text/csv.ts';
import type { Table } from './define.ts';

/** `cells` gives each column, in order: its name and how its value is read from a row. */
export function tableOf<Row>(
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
