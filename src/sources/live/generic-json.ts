// Any HTTP feed that answers with JSON, described in `sources.json` alone: docs/sources.md holds the recipes.
import Type, { type Static } from 'typebox';
import { type Adapter, FeedShapeError, MOST_ROWS, type ParsedFeed } from '../core/adapter.ts';
import { parseJson } from '../core/rows/decode.ts';
import { compileCondition } from './generic/condition.ts';
import { checkPaging, nextPage, paging } from './generic/paging.ts';
import { checkRowsPointer, compilePointer, type JsonNode, rootNode, rowsAt } from './generic/pointer.ts';
import { type ReadContext, type ReadResult, readRows } from './generic/read-rows.ts';
import { buildRequests, requestContext, requestContextForCheck } from './generic/requests.ts';
import { condition, genericTerms, readProperties, requestProperties } from './generic/settings.ts';
import { closedObject } from './parse/settings.ts';

const jsonProperties = {
  rows: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'JSON pointer to the rows, * for every child; default: the body',
    }),
  ),
  errors: Type.Optional(
    Type.Array(condition, { maxItems: 10, description: 'the answer is an error where one of these holds' }),
  ),
  ...readProperties,
};

/** How a JSON body is read, without how it is asked for: files and messages hold the same. */
export const jsonReadSettings = closedObject(jsonProperties);
export type JsonReadSettings = Static<typeof jsonReadSettings>;

export const genericJsonSettings = closedObject({
  ...requestProperties,
  paging: Type.Optional(paging),
  ...jsonProperties,
});
export type GenericJsonSettings = Static<typeof genericJsonSettings>;

export const genericJson: Adapter<GenericJsonSettings> = {
  name: 'generic-json',
  about: genericTerms,
  settings: genericJsonSettings,
  check(settings) {
    checkJsonRead(settings, requestContextForCheck(settings));
    if (settings.paging) checkPaging(settings.paging);
  },
  requests: (feed, poll) => buildRequests(feed.settings, poll, 'application/json'),
  parse(body, feed, request, poll): ParsedFeed {
    const root = rootNode(parseJson(body));
    const { rows, measurements, faults } = readJson(root, feed.settings, requestContext(feed, request, poll));
    const next = feed.settings.paging && nextPage(feed.settings.paging, request, root, rows);
    return { measurements, faults, next: next ? [next] : [] };
  },
};

/** Compiles every reference, unit, format and zone of the settings; there are no rows to read. */
export function checkJsonRead(settings: JsonReadSettings, context: ReadContext): void {
  for (const { at } of settings.errors ?? []) compilePointer(at);
  checkRowsPointer(settings.rows ?? '');
  readRows([], settings, compilePointer, context);
}

/** `rows` of the result counts all rows, also those that were passed over. */
export function readJson(
  root: JsonNode,
  settings: JsonReadSettings,
  context: ReadContext,
): ReadResult & { rows: number } {
  for (const error of settings.errors ?? [])
    if (compileCondition(error, compilePointer)(root))
      throw new FeedShapeError(`the feed answered with an error at ${error.at}`);
  const rows = rowsAt(root, settings.rows ?? '', MOST_ROWS);
  return { rows: rows.length, ...readRows(rows, settings, compilePointer, context) };
}
