// What REST adds to an operation whose answer is a list of rows: `cursor`, which pages through the list, and `next_cursor`
// in the answer. The schemas of tools are fixed by the interface, so tools have neither.

import { hash } from 'node:crypto';
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { MINUTE } from '../../domain/time/slot.ts';
import { MAX_LEAF } from '../../store/ledger/entries.ts';
import { checkArguments, isObject } from './arguments.ts';
import { shortText } from './fields.ts';

export const cursorParameter = shortText(
  512,
  'next_cursor of the page before: the rows that follow it; every other argument but limit and fields stays as it was',
);

export const nextCursorField = Type.Union([Type.String(), Type.Null()], {
  description: 'cursor of the next page; null at the end of the list',
});

/** Fields of positions. A caller may send any value in a cursor: these are what the store can compare with. */
export const slotPosition = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const leafPosition = Type.Integer({ minimum: 0, maximum: MAX_LEAF });
export const textPosition = Type.String({ maxLength: 128 });

/** The version of the form below: a cursor of another version is refused. */
const VERSION = 1;

/** How far the clock of the process that answered the first page may be ahead of this one. */
const CLOCK_SKEW = MINUTE;

/** A question that can be paged through: its name, its arguments and the fields of a position in its list. */
interface PagedQuestion<C extends TProperties> {
  name: string;
  input: Record<string, unknown>;
  position: C;
}

/**
 * A position together with the time of the first page. Windows such as `since` are those of that time on every page, so
 * a row does not leave the list between two pages because it became too old.
 */
export interface PageStart<C extends TProperties> {
  now: number;
  position: Static<TObject<C>>;
}

/** The question is in the cursor as a hash: a cursor of other arguments would list rows that belong to neither. */
function questionDigest({ name, input }: Pick<PagedQuestion<TProperties>, 'name' | 'input'>): string {
  const { limit: _limit, ...rest } = input;
  return hash('sha256', JSON.stringify([name, rest]), 'base64url').slice(0, 12);
}

export const writeCursor = <C extends TProperties>(
  question: Pick<PagedQuestion<C>, 'name' | 'input'>,
  { now, position }: PageStart<C>,
): string =>
  Buffer.from(JSON.stringify([VERSION, questionDigest(question), now, position])).toString('base64url');

/** A cursor is not signed: a forged one that passes these checks reads public rows from another place. */
export function readCursor<C extends TProperties>(
  question: PagedQuestion<C>,
  cursor: string,
  now: number,
): PageStart<C> | { fault: string } {
  const [version, digest, startedAt, given] = parse(cursor);
  if (version !== VERSION) return { fault: 'cursor is not one that this address gave: ask without it' };
  if (digest !== questionDigest(question))
    return { fault: 'cursor belongs to other arguments: change only limit, or ask without cursor' };
  const read = checkArguments(
    Type.Object(question.position, { additionalProperties: false }),
    isObject(given) ? given : {},
  );
  const latest = now + CLOCK_SKEW;
  if (!read.ok || !Number.isSafeInteger(startedAt) || Number(startedAt) < 0 || Number(startedAt) > latest)
    return { fault: 'cursor was changed on its way: ask without it' };
  // Typed by the schema that it was just checked against.
  return { now: Number(startedAt), position: read.input as Static<TObject<C>> };
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

/** A list that was read with one row more than its limit: the rows of the page, and its last row if others follow. */
export function cutPage<Row>(rows: readonly Row[], limit: number): { rows: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { rows: page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}

/** The same for reports, where the limit counts weeks or months: a period has the reports of many pockets. */
export function cutPeriods<Row>(
  rows: readonly Row[],
  periodOf: (row: Row) => string,
  limit: number,
): { rows: Row[]; last: { before: string } | null } {
  const periods = [...new Set(rows.map(periodOf))];
  const [listed, more] = [periods.slice(0, limit), periods.length > limit];
  const before = listed.at(-1);
  return {
    rows: rows.filter((row) => listed.includes(periodOf(row))),
    last: more && before !== undefined ? { before } : null,
  };
}
