// How rows get into PostgreSQL: by COPY, in its text format, which the server reads in half the time that it needs for an
// `insert` of JSON; by that where COPY cannot say what is meant.
import pg, { type ClientBase, type Connection } from 'pg';
import { insertColumns } from './store.ts';

/** Rows of one statement. They travel as one text, so this bounds the memory it takes on both sides. */
export const BATCH_ROWS = 1_000;

/** A statement that writes rows: what they are is its parameter, or the lines that follow a COPY. */
export type RowBatch = { sql: string; json: string } | { sql: string; lines: string };

/** The rows in batches. Each is made into text when it is asked for, so what is done to the rows later changes nothing. */
export function* rowBatches(table: string, rows: readonly object[], conflict = ''): Generator<RowBatch> {
  const columns = insertColumns(rows);
  const named = columns.join(', ');
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const batch = rows.slice(at, at + BATCH_ROWS);
    const lines = conflict ? undefined : encodeLines(columns, batch);
    if (lines !== undefined) yield { sql: `copy ${table} (${named}) from stdin`, lines };
    else {
      const from = `json_populate_recordset(null::${table}, ?)`;
      const sql = `insert into ${table} (${named}) select ${named} from ${from} ${conflict}`;
      yield { sql, json: rowsAsJson(batch) };
    }
  }
}

/**
 * The rows as lines, values between tabs. Undefined where a text has what UTF-8 or the server's text cannot hold: half of
 * a surrogate pair, which would be replaced without a word, or a NUL. The server refuses both in JSON, and says why.
 */
function encodeLines(columns: readonly string[], rows: readonly object[]): string | undefined {
  let lines = '';
  for (const row of rows as readonly Record<string, unknown>[]) {
    let separator = '';
    for (const column of columns) {
      lines += separator;
      lines += encodeValue(row[column]);
      separator = '\t';
    }
    lines += '\n';
  }
  return lines.includes('\0') || !lines.isWellFormed() ? undefined : lines;
}

const NULL = '\\N';
const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** As in JSON, a number that is not finite is null and -0 is 0. */
function encodeValue(value: unknown): string {
  if (typeof value === 'string') return special.test(value) ? escapeText(value) : value;
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : NULL;
  if (value === null || value === undefined) return NULL;
  return escapeText(value instanceof Uint8Array ? byteDigits(value) : `${value}`);
}

const escapeText = (text: string): string => text.replaceAll(/[\\\t\n\r]/g, (one) => escapes[one] ?? one);

/** Bytes in hexadecimal digits, as the server reads a `bytea`. */
const byteDigits = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

function rowsAsJson(rows: readonly object[]): string {
  const isBytes = (value: unknown) => value instanceof Uint8Array;
  if (!rows.some((row) => Object.values(row).some(isBytes))) return JSON.stringify(rows);
  const asText = (value: unknown) => (value instanceof Uint8Array ? byteDigits(value) : value);
  return JSON.stringify(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)]))),
  );
}

/** What pg's type of a connection leaves out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * Sends the lines with the statement rather than after the server's answer to it, so that other statements can follow: a
 * server that refuses the statement skips them.
 */
export const copyLines = (client: ClientBase, sql: string, lines: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(sql, (error) => (error ? reject(error) : resolve()));
    const submit = query.submit.bind(query);
    client.query(
      Object.assign(query, {
        submit: (connection: CopyConnection) => {
          connection.stream.cork();
          submit(connection);
          connection.sendCopyFromChunk(Buffer.from(lines));
          connection.endCopyFrom();
          connection.stream.uncork();
          return null;
        },
        handleCopyInResponse: () => undefined,
      }),
    );
  });
