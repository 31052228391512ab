// How rows get into PostgreSQL: by COPY, in its text format, which the server reads in half the time that it needs for an
// `insert` of JSON; by that where COPY cannot say what is meant.
import type { ClientBase, Connection } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { insertColumns } from './store.ts';

/** Rows of one statement. They travel as one text, so this bounds the memory it takes on both sides. */
const BATCH_ROWS = 1_000;

/** Sends a batch of rows. It must begin only after the statements before it have been answered. */
export type SendRows = (client: ClientBase) => Promise<unknown>;

/** The rows in batches. Each is made into text when it is asked for, so what is done to the rows later changes nothing. */
export function* rowBatches(table: string, rows: readonly object[], conflict = ''): Generator<SendRows> {
  const columns = insertColumns(rows);
  const named = columns.join(', ');
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    const batch = rows.slice(at, at + BATCH_ROWS);
    const lines = conflict ? undefined : encodeLines(columns, batch);
    if (lines !== undefined) yield (client) => copy(client, `copy ${table} (${named}) from stdin`, lines);
    else {
      const json = rowsAsJson(batch);
      const from = `json_populate_recordset(null::${table}, $1)`;
      const sql = `insert into ${table} (${named}) select ${named} from ${from} ${conflict}`;
      yield (client) => client.query(sql, [json]);
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

/** What pg calls when the server is ready for the lines. */
interface CopyHandler {
  handleCopyInResponse(connection: Connection): void;
}

function copy(client: ClientBase, sql: string, lines: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = copyFrom(sql);
    const submit = query.submit.bind(query);
    // Sends the lines with the statement rather than after the server's answer to it, which saves a round trip: a server
    // that refuses the statement skips them.
    query.submit = (connection) => {
      connection.stream.cork();
      submit(connection);
      (query as unknown as CopyHandler).handleCopyInResponse(connection);
      process.nextTick(() => connection.stream.uncork());
    };
    query.on('finish', resolve).on('error', (error) => {
      // Else it would send the end of lines that are still on their way, over a connection that it no longer has.
      query.destroy();
      reject(error);
    });
    query.end(lines);
    client.query(query);
  });
}
