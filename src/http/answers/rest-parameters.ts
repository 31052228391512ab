// Which query parameters an address of the REST API reads, under which names, and which of a request nobody reads.
import { printable } from '../../domain/text/printable.ts';
import { type Operation, Refused } from '../../operations/core/define.ts';
import { restInputSchema } from '../../operations/core/rest-input.ts';
import type { Input } from './render-answer.ts';

/** The interface writes one at some addresses and the other at others: both are read at all of them. */
const pocketNames = ['pocket', 'pocket_id'];

/** The name of an argument in the query. */
export const parameterNamer =
  ({ rest }: Pick<Operation, 'rest'>) =>
  (argument: string): string =>
    rest?.names?.[argument] ?? argument;

/** The value of a query parameter. A pocket may be given by either name; two that differ are refused. */
export function parameterValue(given: Input, name: string): unknown {
  if (!pocketNames.includes(name)) return given[name];
  const values = pocketNames.map((own) => given[own]).filter((value) => value !== undefined && value !== '');
  const [first, second = first] = values;
  if (first !== second)
    throw new Refused('pocket and pocket_id mean the same: give one, or the same in both');
  return first;
}

/** Enough to see one's mistake by; a query may hold thousands of names. */
const MAX_IGNORED = 20;
const MAX_NAME_LENGTH = 64;

/** The names in a query that nobody reads: what `_meta.ignored` lists. They come from the caller. */
export function ignoredNames(query: unknown, known: readonly string[]): string[] {
  const read = pocketNames.some((name) => known.includes(name)) ? [...known, ...pocketNames] : known;
  const unread = Object.keys(query as object).filter((name) => !read.includes(name));
  const shown = unread.slice(0, MAX_IGNORED).map((name) => printable(name, MAX_NAME_LENGTH));
  return [...new Set(shown)].filter(Boolean);
}

/** The parameters that an operation reads from the query of its address. */
export function queryParameters(operation: Operation): string[] {
  const { rest, table } = operation;
  if (rest?.method === 'POST') return [];
  const inPath = rest?.path.split('/') ?? [];
  const own = Object.keys(restInputSchema(operation).properties).map(parameterNamer(operation));
  return [...own.filter((name) => !inPath.includes(`:${name}`)), ...(table ? ['format'] : [])];
}
