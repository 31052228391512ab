// The format of recorded measurements, CSV or JSONL, plain or gzipped: a row each with `timestamp, feed, place_id, lat,
// lon, field, value`. Read as a stream: memory does not grow with the file. docs/sources.md describes the format.
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FeedShapeError } from '../core/adapter.ts';
import type { ReadStates } from '../core/meaning/place-state.ts';
import type { Measurement } from '../core/measurement.ts';
import { type NumberFault, parseNumber, scalarText } from '../core/rows/number.ts';
import { PLACE_ID_RULE, parsePlaceId } from '../core/rows/place-id.ts';
import { parseTable } from '../core/rows/table.ts';
import { type ObservedTime, observedTime } from '../live/generic/observed-time.ts';

export interface ReplayFile {
  /** Named in errors. */
  name: string;
  /** Zone of times without offset; without it such a time is an error. */
  time_zone?: string;
  /** What the city's feeds say with words; without it words are passed over. */
  states?: ReadStates;
  /** A longer file is refused. Default: it is read to its end. */
  most_rows?: number;
  /** Told of each row without a number. */
  missing?: (feed: string, field: string, fault: NumberFault) => void;
}

/** What was in a file, counted while it is read. */
export interface ReplayCounts {
  rows: number;
  measurements: number;
  /** Rows whose value is a word that says nothing of a place, such as a forecast. They are passed over. */
  texts: number;
  /** Rows without a value. */
  empty: number;
}

export const noReplayCounts = (): ReplayCounts => ({ rows: 0, measurements: 0, texts: 0, empty: 0 });

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
type Column = 'timestamp' | 'feed' | 'place_id' | 'lat' | 'lon' | 'field' | 'value';
type Row = (column: Column) => unknown;

const required = ['timestamp', 'feed', 'place_id', 'field', 'value'] as const;
const MOST_LINE = 64 * 1024;
/** Lines that say nothing. A compressed file may hold billions of them, which would take hours to read. */
const MOST_EMPTY_LINES = 10_000;

/** Throws a `FeedShapeError` that names file, line and column. The rows before it were given out already. */
export async function* readReplayRows(
  source: Chunks,
  file: ReplayFile,
  counts: ReplayCounts = noReplayCounts(),
): AsyncGenerator<Measurement> {
  const readMeasurement = measurementReader(file);
  const { most_rows = Infinity } = file;
  let at = 0;
  let blank = 0;
  const fail = (message: string): never => {
    throw new FeedShapeError(`${file.name}, line ${at}${message}`);
  };
  let readRow: ((line: string) => Row) | null = null;
  for await (const lines of readLines(source, file.name))
    for (const line of lines) {
      at += 1;
      if (line.trim() === '') {
        blank += 1;
        if (blank > MOST_EMPTY_LINES) fail(`: more than ${MOST_EMPTY_LINES} empty lines`);
        continue;
      }
      if (!readRow) {
        readRow = line.trimStart().startsWith('{') ? jsonRow(fail) : null;
        if (!readRow) {
          readRow = csvRow(line, fail);
          continue;
        }
      }
      counts.rows += 1;
      if (counts.rows > most_rows) fail(`: more than ${most_rows} rows`);
      const read = readMeasurement(readRow(line), fail);
      if (typeof read === 'string') counts[read === 'no_data' ? 'empty' : 'texts'] += 1;
      else {
        counts.measurements += 1;
        yield* read;
      }
    }
  if (!readRow) throw new FeedShapeError(`${file.name}: the file is empty`);
}

type Fail = (message: string) => never;

function csvRow(header: string, fail: Fail): (line: string) => Row {
  const cells = splitCells(header, fail).map((name) => name.trim());
  // Both spellings occur; a file has one of them.
  const index = new Map(cells.map((name, i) => [name === 'lng' ? 'lon' : name, i]));
  for (const name of required) if (!index.has(name)) fail(`: the header has no column ${name}`);
  return (line) => {
    const row = splitCells(line, fail);
    if (row.length !== cells.length) fail(`: ${row.length} cells where the header has ${cells.length}`);
    return (column) => row[index.get(column) ?? -1];
  };
}

function splitCells(line: string, fail: Fail): string[] {
  if (!line.includes('"')) return line.split(',');
  try {
    return parseTable(line).rows[0] ?? [];
  } catch {
    return fail(': a quoted cell does not end on it');
  }
}

function jsonRow(fail: Fail): (line: string) => Row {
  return (line) => {
    let row: unknown;
    try {
      row = JSON.parse(line);
    } catch {
      fail(': expected a JSON object');
    }
    if (typeof row !== 'object' || row === null) fail(': expected a JSON object');
    const values = new Map<string, unknown>(Object.entries(row as object));
    return (column) => values.get(column) ?? (column === 'lon' ? values.get('lng') : undefined);
  };
}

/** A state may be that of several fields. */
function measurementReader({ time_zone, states, missing }: ReplayFile) {
  const zoned: ObservedTime = observedTime({ at: '' }, { zone: time_zone ?? 'UTC', now: 0 });
  let last = { text: '', time: 0 };
  const readTime = (raw: unknown, series: string, fail: Fail): number => {
    const text = scalarText(raw ?? null) ?? '';
    const hasOffset = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/.test(text.slice(10));
    if (hasOffset && text === last.text) return last.time;
    if (!hasOffset && time_zone === undefined)
      return fail(', column timestamp: expected ISO 8601 with an offset');
    const time = zoned([text], series);
    if (time === null) return fail(', column timestamp: not a time of ISO 8601');
    if (hasOffset) last = { text, time };
    return time;
  };
  return (row: Row, fail: Fail): Measurement[] | NumberFault => {
    const readId = (column: 'feed' | 'place_id' | 'field'): string => {
      return parsePlaceId(row(column)) ?? fail(`, column ${column}: expected ${PLACE_ID_RULE}`);
    };
    const degrees = (column: 'lat' | 'lon', most: number): number | null => {
      const value = parseNumber(row(column));
      if (value === 'no_data') return null;
      return typeof value === 'number' && Math.abs(value) <= most
        ? value
        : fail(`, column ${column}: expected degrees between -${most} and ${most}`);
    };
    const [feed, place_id, field] = [readId('feed'), readId('place_id'), readId('field')];
    const observed_at = readTime(row('timestamp'), `${feed} ${place_id} ${field}`, fail);
    const [lat, lng] = [degrees('lat', 90), degrees('lon', 180)];
    const placed = lat !== null && lng !== null;
    const place = { feed, place_id, lat: placed ? lat : null, lng: placed ? lng : null };
    const stated = states?.(feed, field, scalarText(row('value') ?? null) ?? '');
    if (stated) return stated.map((says) => ({ ...place, ...says, value: Number.NaN, observed_at }));
    const value = parseNumber(row('value'));
    if (typeof value === 'number') return [{ ...place, field, value, observed_at }];
    missing?.(feed, field, value);
    return value;
  };
}

/** The lines of each chunk at once: waiting for every single one takes longer than reading it. */
async function* readLines(source: Chunks, file: string): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  const tooLong = (): never => {
    throw new FeedShapeError(`${file}, line ${number + 1}: longer than ${MOST_LINE} characters`);
  };
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new FeedShapeError(`${file}, after line ${number}: expected UTF-8`);
    }
  };
  for await (const chunk of plainBytes(source, file)) {
    const lines = (rest + decode(chunk)).split('\n');
    rest = lines.pop() ?? '';
    const tooLongAt = lines.findIndex((line) => line.length > MOST_LINE);
    // Those before a line that is too long are given out first.
    yield (tooLongAt < 0 ? lines : lines.slice(0, tooLongAt)).map(withoutReturn);
    number += tooLongAt < 0 ? lines.length : tooLongAt;
    if (tooLongAt >= 0 || rest.length > MOST_LINE) tooLong();
  }
  rest += decode();
  if (rest !== '') yield [withoutReturn(rest)];
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The two magic bytes of gzip decide, not the name of the file. */
async function* plainBytes(source: Chunks, file: string): AsyncGenerator<Uint8Array> {
  const chunks = (async function* () {
    yield* source;
  })();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const { value, done } = await chunks.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const start = Buffer.concat(first);
  const whole = (async function* () {
    yield start;
    yield* chunks;
  })();
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield* whole;
    return;
  }
  // The callback takes the error that the loop over `unzipped` throws as well.
  const unzipped = pipeline(Readable.from(whole), createGunzip(), () => {});
  try {
    for await (const chunk of unzipped) yield chunk as Uint8Array;
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!code.startsWith('Z_') && code !== 'ERR_BUFFER_TOO_LARGE') throw cause;
    throw new FeedShapeError(`${file}: the gzip data is damaged or cut off`);
  }
}
