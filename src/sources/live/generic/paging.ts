// The next page of a list: by a link, an offset, a page number or a cursor. The number of pages is bounded.
import Type, { type Static } from 'typebox';
import { type FeedRequest, FeedShapeError } from '../../core/adapter.ts';
import { parseNumber, scalarText } from '../../core/rows/number.ts';
import { closedObject, withDescription } from '../parse/settings.ts';
import { compilePointer, type JsonNode } from './pointer.ts';
import { requestPart, withPart } from './requests.ts';
import { reference } from './settings.ts';

const most_pages = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'default: 10' }));
const parameter = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'name in the query of the address',
});
const limit = Type.Integer({ minimum: 1, maximum: 100_000, description: 'rows of a full page' });

/** Without `more` and `total`, a full page has another one after it. */
const counted = {
  parameter,
  limit,
  more: Type.Optional(withDescription(reference, 'where the answer says that there are more pages')),
  total: Type.Optional(withDescription(reference, 'where the answer says how many rows there are in total')),
  most_pages,
};

export const paging = Type.Union(
  [
    closedObject({ by: Type.Literal('link'), next: reference, most_pages }),
    closedObject({ by: Type.Literal('cursor'), parameter, cursor: reference, most_pages }),
    closedObject({ by: Type.Literal('offset'), ...counted }),
    closedObject({
      by: Type.Literal('page'),
      ...counted,
      first: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 1, description: 'number of the first page; default: 1' }),
      ),
    }),
  ],
  { description: 'how the next page of the answer is found' },
);
export type Paging = Static<typeof paging>;

/** Throws a `FeedShapeError` for a reference that is no pointer. */
export function checkPaging(settings: Paging): void {
  if (settings.by === 'link') compilePointer(settings.next);
  else if (settings.by === 'cursor') compilePointer(settings.cursor);
  else
    for (const pointer of [settings.more, settings.total]) if (pointer !== undefined) compilePointer(pointer);
}

/** For bodies without pointers (CSV) `body` is null: only full pages tell that there are more. */
export function nextPage(
  settings: Paging,
  request: FeedRequest,
  body: JsonNode | null,
  rows: number,
): FeedRequest | null {
  const part = requestPart(request);
  const page = (part.page ?? 0) + 1;
  if (page >= (settings.most_pages ?? 10)) return null;
  const url = nextUrl(settings, request.url, body, rows, page);
  return url === null ? null : withPart({ ...request, url }, { ...part, page });
}

function nextUrl(
  settings: Paging,
  url: string,
  body: JsonNode | null,
  rows: number,
  page: number,
): string | null {
  switch (settings.by) {
    case 'link':
      return nextAddress(textAt(body, settings.next), url);
    case 'cursor': {
      const cursor = textAt(body, settings.cursor);
      return cursor ? withParameter(url, settings.parameter, cursor) : null;
    }
    case 'offset':
    case 'page': {
      if (!hasMore(settings, body, rows, page)) return null;
      const value = settings.by === 'offset' ? page * settings.limit : page + (settings.first ?? 1);
      return withParameter(url, settings.parameter, String(value));
    }
  }
}

type Counted = Extract<Paging, { by: 'offset' | 'page' }>;

function hasMore(
  { more, total, limit }: Counted,
  body: JsonNode | null,
  rows: number,
  page: number,
): boolean {
  if (rows === 0) return false;
  if (body && more !== undefined) return compilePointer(more)(body) === true;
  if (body && total !== undefined) {
    // OpenAQ writes ">100" where it does not know: then a full page decides.
    const count = parseNumber(compilePointer(total)(body));
    if (typeof count === 'number') return page * limit < count;
  }
  return rows >= limit;
}

const textAt = (body: JsonNode | null, pointer: string): string | null =>
  body && scalarText(compilePointer(pointer)(body) ?? null);

/** A key travels with the request, so that a link may not lead to another host; nor from https to http. */
function nextAddress(link: string | null, from: string): string | null {
  if (!link) return null;
  const base = new URL(from);
  const next = URL.canParse(link, from) ? new URL(link, from) : null;
  if (!next || next.host !== base.host || !/^https?:$/.test(next.protocol))
    throw new FeedShapeError('expected the next page on the same host');
  next.protocol = base.protocol;
  return next.href === base.href ? null : next.href;
}

function withParameter(url: string, name: string, value: string): string {
  const next = new URL(url);
  next.searchParams.set(name, value);
  return next.href;
}
