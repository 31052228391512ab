/** Rows named by their keys are asked for in lists of one length: one statement serves any number of them. */
const LENGTH = 500;

/** What stands between the brackets of `in (…)`. */
export const inClause = Array(LENGTH).fill('?').join(', ');

/** The last item is repeated where there are fewer. */
export function* inClauseChunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += LENGTH) {
    const some = items.slice(at, at + LENGTH);
    const last = some.at(-1) as T;
    while (some.length < LENGTH) some.push(last);
    yield some;
  }
}
