// Compares the rows of the tables beside the log, as they are served, with those that follow from the entries.
import type { FaultPlace } from '../fault.ts';
import { valueText } from '../figures/difference.ts';
import { parseJson } from '../figures/served.ts';
import { TILE_WIDTH } from '../source.ts';
import { type ExpectedRow, expectedRows, Rule, type Sealed } from './expected.ts';

/** The rows that say something of the entries of one bundle. The service controls all of it. */
export interface ServedRows {
  /**
   * JSON: `{tables: {name: {columns, rows}}, signals_from}`; the first column is the leaf. `signals_from`: snapshots of
   * earlier slots, in epoch milliseconds, may have been let go.
   */
  bytes: Uint8Array;
  /** The size of the log that is verified: rows of later entries may be there already. */
  size: number;
  zone: string | undefined;
}

type Columns = Record<string, unknown>;

/** Whose rows are the outcomes of other entries, and in which column they have their own leaf. */
const OWN_LEAF = 'own_leaf';

/** What is wrong with a row, and of which entry. */
export interface RowFault {
  message: string;
  place: FaultPlace;
}

/** What was found in the rows of a bundle. */
export interface ComparedRows {
  /** The first row that is wrong, missing or one too many. */
  fault: RowFault | undefined;
  /** The slot from which on there must be snapshots; 0 if all are there. */
  signalsFrom: number;
}

/** `entries` are those of the bundle, in order. */
export function compareRows(
  { bytes, ...served }: ServedRows,
  index: number,
  entries: readonly Sealed[],
): ComparedRows {
  const answer = asRecord(parseJson(bytes));
  const stated = Number(answer.signals_from ?? 0);
  const signalsFrom = Number.isNaN(new Date(stated).getTime()) ? 0 : stated;
  return { fault: findWrongRow({ answer, signalsFrom, ...served }, index, entries), signalsFrom };
}

interface Compared extends Omit<ServedRows, 'bytes'> {
  answer: Record<string, unknown>;
  signalsFrom: number;
}

function findWrongRow(
  { answer, signalsFrom, size, zone }: Compared,
  index: number,
  entries: readonly Sealed[],
): RowFault | undefined {
  const first = index * TILE_WIDTH;
  const tables = readTables(answer);
  if (!tables) return { message: 'the rows of the tables are not readable', place: { leaf: first } };
  for (const [row, entry] of entries.entries()) {
    const leaf = first + row;
    const place = { leaf, id: entry.id };
    for (const [name, expected] of Object.entries(expectedRows(entry, zone))) {
      const table = tables.get(name);
      const served = table
        ?.get(leaf)
        ?.filter(({ [OWN_LEAF]: own }) => own === undefined || Number(own) < size);
      table?.delete(leaf);
      const wrong = wrongRow(tableName(name), expected, served ?? [], signalsFrom);
      if (wrong !== undefined) return { message: wrong, place };
    }
  }
  for (const [name, rows] of tables)
    for (const [leaf, [one]] of rows) {
      const own = one?.[OWN_LEAF] ?? leaf;
      if (!(Number(own) >= size))
        return { message: `${tableName(name)} has a row that its entry does not give`, place: { leaf } };
    }
  return undefined;
}

/** `reveals_of_predictions` are rows of `reveals`. */
const tableName = (name: string): string => name.split('_of_')[0] ?? name;

function wrongRow(
  table: string,
  { columns, mayBeAbsent, measuredAt }: ExpectedRow,
  [served, ...others]: readonly Columns[],
  signalsFrom: number,
): string | undefined {
  const wasLetGo = typeof measuredAt === 'number' && measuredAt < signalsFrom;
  if (!served) return mayBeAbsent || wasLetGo ? undefined : `${table} has no row of the entry`;
  if (others.length > 0) return `${table} has more than one row of the entry`;
  for (const [column, value] of Object.entries(columns)) {
    const given = served[column];
    if (value instanceof Rule) {
      if (!value.holds(given))
        return `${table}.${column} is ${valueText(given)}, which does not follow from the entry`;
    } else if (given !== (value ?? null))
      return `${table}.${column} is ${valueText(given)}, but the entry gives ${valueText(value ?? null)}`;
  }
  return undefined;
}

/** By table and leaf; undefined where it has another form. */
function readTables(answer: Record<string, unknown>): Map<string, Map<number, Columns[]>> | undefined {
  const tables = new Map<string, Map<number, Columns[]>>();
  for (const [name, table] of Object.entries(asRecord(answer.tables))) {
    const { columns, rows } = asRecord(table);
    if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return undefined;
    const byLeaf = new Map<number, Columns[]>();
    for (const values of rows) {
      const row: Columns = Object.create(null);
      for (let at = 1; at < columns.length; at++) row[String(columns[at])] = values[at];
      const known = byLeaf.get(values[0]);
      if (known) known.push(row);
      else byLeaf.set(values[0], [row]);
    }
    tables.set(name, byLeaf);
  }
  return tables;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The first table with a row of a leaf that the log does not have, as the service tells; undefined if there is none. */
export function beyondTheLog(bytes: Uint8Array, size: number): string | undefined {
  for (const [table, ends] of Object.entries(asRecord(asRecord(parseJson(bytes)).tables)))
    for (const leaf of [asRecord(ends).first, asRecord(ends).last])
      if (leaf !== null && !(Number.isInteger(leaf) && Number(leaf) >= 0 && Number(leaf) < size))
        return `${table} has a row of leaf ${valueText(leaf)}, but the log has ${size} rows`;
  return undefined;
}
