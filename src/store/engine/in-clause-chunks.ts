// Reads rows by a list of keys. Lists have one of a few lengths, so that few prepared statements serve any number of
// keys, and a list of two keys does not pass hundreds of parameters.

const lengths = [10, 100, 500] as const;
const LONGEST = 500;

const placeholders = new Map<number, string>(
  lengths.map((length) => [length, Array(length).fill('?').join(', ')]),
);

/** The placeholders of a chunk, for `in (${inClause(chunk)})`. */
export const inClause = (chunk: readonly unknown[]): string => placeholders.get(chunk.length) ?? '';

/** Splits the keys into chunks; the last one is filled up by repeating its last key, which changes no result. */
export function* inClauseChunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += LONGEST) {
    const chunk = items.slice(at, at + LONGEST);
    const last = chunk.at(-1) as T;
    const length = lengths.find((one) => one >= chunk.length) ?? LONGEST;
    while (chunk.length < length) chunk.push(last);
    yield chunk;
  }
}

/** The end of a condition that names some pockets, one parameter each; nothing where all are wanted. */
export const onlyPockets = (pockets: readonly string[] | undefined): string =>
  pockets ? `and pocket_id in (${pockets.map(() => '?').join(', ')})` : '';
