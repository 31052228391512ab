// Reads rows by a list of keys. Lists have one of a few lengths, so that few prepared statements serve any number of
// keys, and a list of two keys does not pass hundreds of parameters.
import type { Reader, Value } from './store.ts';

const lengths = [10, 100, 500] as const;
const LONGEST = 500;

const placeholders = new Map<number, string>(
  lengths.map((length) => [length, Array(length).fill('?').join(', ')]),
);

/** The placeholders of a chunk, for `in (${inClause(chunk)})`. */
export const inClause = (chunk: readonly unknown[]): string => placeholders.get(chunk.length) ?? '';

/** Parts of a list of keys of any length, each as long as one statement can ask for. */
export function* chunksOf<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += LONGEST) yield items.slice(at, at + LONGEST);
}

/** Splits the keys into chunks; the last one is filled up by repeating its last key, which changes no result. */
export function* inClauseChunks<T>(items: readonly T[]): Generator<T[]> {
  for (const chunk of chunksOf(items)) {
    const last = chunk.at(-1) as T;
    const length = lengths.find((one) => one >= chunk.length) ?? LONGEST;
    while (chunk.length < length) chunk.push(last);
    yield chunk;
  }
}

/**
 * Rows that are looked up for each of some pockets: `sql` joins the pockets, a table `asked`, and its parameters follow
 * theirs. Write `from asked a cross join table t where t.pocket_id = a.pocket_id …`: SQLite then begins with the pockets.
 * With a list of them in the condition it may read the whole city and filter.
 */
export async function allOfPockets<T>(
  store: Reader,
  pockets: readonly string[],
  sql: string,
  ...params: Value[]
): Promise<T[]> {
  const found: T[] = [];
  for (const chunk of inClauseChunks(pockets))
    found.push(...(await store.all<T>(`${asked(chunk.length)} ${sql}`, ...chunk, ...params)));
  return found;
}

const asked = (length: number): string =>
  `with asked (pocket_id) as (select distinct column1 from (values ${Array(length).fill('(cast(? as text))').join(', ')}) as given)`;
