import type { Cell } from '../../domain/text/csv.ts';
import type { Table } from './define.ts';

/** A table whose columns say what stands in them. */
export function tableOf<Row>(
  name: string,
  batches: AsyncIterable<readonly Row[]>,
  cells: Record<string, (row: Row) => Cell>,
): Table {
  const read = Object.values(cells);
  async function* inCells() {
    for await (const rows of batches) yield rows.map((row) => read.map((cell) => cell(row)));
  }
  return { name, columns: Object.keys(cells), batches: inCells() };
}
