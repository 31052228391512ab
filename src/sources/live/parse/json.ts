// JSON of unknown shape, read into checked values. A feed's body is untrusted: nothing here throws anything but a
// FeedShapeError, and messages quote no more of the body than `excerpt` lets through.
import { FeedShapeError, MOST_ROWS } from '../../core/adapter.ts';

export type JsonObject = Record<string, unknown>;

/** The value as an object; undefined where it is anything else, a list too. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function requireObject(value: unknown, name: string): JsonObject {
  const found = asObject(value);
  if (!found) throw new FeedShapeError(`expected an object at ${name}`);
  return found;
}

export function requireList(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new FeedShapeError(`expected a list at ${name}`);
  if (value.length > MOST_ROWS) throw new FeedShapeError(`more than ${MOST_ROWS} rows at ${name}`);
  return value;
}

/** Text that is not blank, without the space around it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.trim() || undefined : undefined;
}

/** A yes or no that feeds write as a boolean, as 0 and 1, or as text. */
export function asFlag(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1' || value === 'true') return true;
  if (value === false || value === 0 || value === '0' || value === 'false') return false;
  return undefined;
}

/** A short piece of a publisher's own error text that is safe to log: one line of printable ASCII. */
export function excerpt(value: unknown): string {
  return typeof value === 'string' ? value.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 100) : 'no reason given';
}
