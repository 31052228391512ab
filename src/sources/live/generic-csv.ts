// Any HTTP feed that answers with a table of text, described in `sources.json` alone: docs/sources.md holds the recipes.
import Type, { type Static } from 'typebox';
import { type Adapter, FeedShapeError, type ParsedFeed } from '../core/adapter.ts';
import { countFault } from '../core/measurement.ts';
import { decodeText, encodings, refuseHtml } from '../core/rows/decode.ts';
import { parseTable } from '../core/rows/table.ts';
import { nextPage, paging } from './generic/paging.ts';
import { type ReadContext, type ReadResult, readRows } from './generic/read-rows.ts';
import { buildRequests, requestContext, requestContextForCheck } from './generic/requests.ts';
import { genericTerms, readProperties, requestProperties } from './generic/settings.ts';
import { closedObject, withDescription } from './parse/settings.ts';

const MOST_NAME = 200;

const character = (description: string) => Type.String({ minLength: 1, maxLength: 1, description });

const wide = closedObject({
  pattern: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'columns of places; the first group of the expression is the id',
    }),
  ),
  columns: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ minLength: 1, maxLength: 128 }), {
      description: 'columns of places and their ids',
    }),
  ),
});

const csvProperties = {
  encoding: Type.Optional(
    Type.Enum([...encodings], { description: 'default: utf-8, with or without a BOM' }),
  ),
  delimiter: Type.Optional(character('default: a comma')),
  quote: Type.Optional(
    Type.Union([Type.Literal(''), character('default: "')], {
      description: 'around cells; default: ", empty: none',
    }),
  ),
  skip_lines: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'lines before the header' }),
  ),
  header: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 2000,
      description: 'where the table has none',
    }),
  ),
  skip_rows: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'rows after the header' })),
  wide: Type.Optional(withDescription(wide, 'a table with one column for each place')),
  ...readProperties,
};

/** How a table is read, without how it is asked for: files hold the same. */
export const csvReadSettings = closedObject(csvProperties);
export type CsvReadSettings = Static<typeof csvReadSettings>;

export const genericCsvSettings = closedObject({
  ...requestProperties,
  paging: Type.Optional(paging),
  ...csvProperties,
});
export type GenericCsvSettings = Static<typeof genericCsvSettings>;

export const genericCsv: Adapter<GenericCsvSettings> = {
  name: 'generic-csv',
  about: genericTerms,
  settings: genericCsvSettings,
  check(settings) {
    checkCsvRead(settings, requestContextForCheck(settings));
    const { paging: pages } = settings;
    const byBody = pages && (pages.by === 'link' || pages.by === 'cursor' || pages.more || pages.total);
    if (byBody) throw new FeedShapeError('settings: the pages of a table are found only by offset or page');
  },
  requests: (feed, poll) => buildRequests(feed.settings, poll, 'text/csv'),
  parse(body, feed, request, poll): ParsedFeed {
    const { rows, measurements, faults } = readCsv(body, feed.settings, requestContext(feed, request, poll));
    const next = feed.settings.paging && nextPage(feed.settings.paging, request, null, rows);
    return { measurements, faults, next: next ? [next] : [] };
  },
};

/** Compiles every unit, format, zone and expression; whether a column exists only a table can tell. */
export function checkCsvRead(settings: CsvReadSettings, context: ReadContext): void {
  if (settings.wide?.pattern !== undefined) compile(settings.wide.pattern);
  const access = (reference: string) => {
    if (/^\{(column|cell)\}$/.test(reference) ? !settings.wide : /^\{\w+\}$/.test(reference))
      throw new FeedShapeError(`settings: nothing gives a value for ${reference}`);
    return () => undefined;
  };
  readRows([], settings, access, context);
}

/** A row, and in a wide table one of its cells at a time. */
interface TableRow {
  cells: string[];
  column?: { place: string; index: number };
}

/** `rows` of the result counts all rows, also those that were passed over. */
export function readCsv(
  body: Uint8Array,
  settings: CsvReadSettings,
  context: ReadContext,
): ReadResult & { rows: number } {
  const text = decodeText(body, settings.encoding);
  refuseHtml(text, 'CSV');
  const { rows: table } = parseTable(skipLines(text, settings.skip_lines ?? 0), settings);
  const header = (settings.header ?? table.shift())?.map((name) => name.trim());
  if (!header) throw new FeedShapeError('expected a table with a header');
  const all = table.slice(settings.skip_rows ?? 0);
  // A row that is cut off or has a cell too many cannot be told apart from one whose cells moved.
  const whole = all.filter((cells) => cells.length === header.length);

  const access = (reference: string) => {
    if (settings.wide && reference === '{column}') return ({ column }: TableRow) => column?.place;
    if (settings.wide && reference === '{cell}')
      return ({ cells, column }: TableRow) => (column ? cells[column.index] : undefined);
    const index = header.indexOf(reference);
    if (index < 0) throw new FeedShapeError(`expected the column ${JSON.stringify(reference)}`);
    return ({ cells }: TableRow) => cells[index];
  };
  const columns = settings.wide && placeColumns(settings.wide, header);
  const rows = columns ? wideCells(whole, columns) : whole.map((cells) => ({ cells }));
  const result = readRows(rows, settings, access, context);
  if (whole.length < all.length) countFault(result.faults, 'bad_value', all.length - whole.length);
  return { rows: all.length, ...result };
}

function skipLines(text: string, lines: number): string {
  let at = 0;
  for (let i = 0; i < lines; i++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return '';
    at = end + 1;
  }
  return text.slice(at);
}

type PlaceColumn = NonNullable<TableRow['column']>;

function placeColumns(
  { pattern, columns = {} }: Static<typeof wide>,
  header: readonly string[],
): PlaceColumn[] {
  const expression = pattern === undefined ? null : compile(pattern);
  const found: PlaceColumn[] = [];
  for (const [index, name] of header.entries()) {
    // The header is the feed's: a long name would make a careless expression slow.
    if (name.length > MOST_NAME) continue;
    const matched = expression?.exec(name);
    const place = Object.hasOwn(columns, name) ? columns[name] : matched ? (matched[1] ?? name) : undefined;
    if (place !== undefined) found.push({ place, index });
  }
  if (found.length === 0) throw new FeedShapeError('expected a column for each place');
  return found;
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    throw new FeedShapeError('settings: wide.pattern is not a regular expression');
  }
}

function* wideCells(rows: readonly string[][], columns: readonly PlaceColumn[]): Generator<TableRow> {
  for (const cells of rows) for (const column of columns) yield { cells, column };
}
