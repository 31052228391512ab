// Reads rows by a list of keys. Every list has the same length, so that one prepared statement serves any number of
// keys.

const LENGTH = 500;

/** The placeholders of one chunk, for `in (${inClause})`. */
export const inClause = Array(LENGTH).fill('?').join(', ');

/** Splits the keys into chunks; the last one is filled up by repeating its last key, which changes no result. */
export function* inClauseChunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += LENGTH) {
    const chunk = items.slice(at, at + LENGTH);
    const last = chunk.at(-1) as T;
    while (chunk.length < LENGTH) chunk.push(last);
    yield chunk;
  }
}

/** The end of a condition that names some pockets, one parameter each; nothing where all are wanted. */
export const onlyPockets = (pockets: readonly string[] | undefined): string =>
  pockets ? `and pocket_id in (${pockets.map(() => '?').join(', ')})` : '';
