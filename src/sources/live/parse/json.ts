// JSON of unknown shape, read into checked values. A feed's body is untrusted: nothing here throws anything but a
// FeedShapeError, and messages quote no more of the body than `excerpt` lets through.
import { FeedShapeError } from '../../core/adapter.ts';
import type { RowFault } from '../../core/measurement.ts';

export type JsonObject = Record<string, unknown>;

/** No feed here has that many rows: a longer list is refused, not cut, so that no part is taken for the whole. */
const MAX_ROWS = 100_000;
const MAX_ID_LENGTH = 100;

export function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new FeedShapeError('expected JSON, got bytes that are not UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    const got = text.trimStart().startsWith('<') ? 'a page of HTML or XML' : 'text that is not JSON';
    throw new FeedShapeError(`expected JSON, got ${text.trim() === '' ? 'an empty body' : got}`);
  }
}

/** The value as an object; undefined where it is anything else, a list too. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function requireObject(value: unknown, name: string): JsonObject {
  const found = objectOf(value);
  if (!found) throw new FeedShapeError(`expected an object at ${name}`);
  return found;
}

export function requireList(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new FeedShapeError(`expected a list at ${name}`);
  if (value.length > MAX_ROWS) throw new FeedShapeError(`more than ${MAX_ROWS} rows at ${name}`);
  return value;
}

/** Text that is not blank, without the space around it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** An id of a station or vehicle: text, or the whole number that some feeds send for it. */
export function idOf(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) ? String(value) : textOf(value);
  return id !== undefined && id.length <= MAX_ID_LENGTH ? id : undefined;
}

/** A yes or no that feeds write as a boolean, as 0 and 1, or as text. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}

const NUMBER = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i;
const ABSENT = new Set(['', 'na', 'n/a', 'nan', 'nil', 'null', 'none', '-', '--']);

/** A number, also one that was written as text, or the fault of what stands in its place. */
export function numberOf(value: unknown): number | Extract<RowFault, 'no_data' | 'bad_value'> {
  if (value === null || value === undefined) return 'no_data';
  if (typeof value === 'number') return Number.isFinite(value) ? value : 'bad_value';
  if (typeof value !== 'string') return 'bad_value';
  const text = value.trim();
  if (ABSENT.has(text.toLowerCase())) return 'no_data';
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : 'bad_value';
}

/** As `numberOf`, for what cannot be below zero: counts, amounts of rain, concentrations. */
export function amountOf(value: unknown): ReturnType<typeof numberOf> {
  const number = numberOf(value);
  return typeof number === 'number' && number < 0 ? 'bad_value' : number;
}

/** A short piece of a publisher's own error text that is safe to log: one line of printable ASCII. */
export function excerpt(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 100) : 'no reason given';
}
