// The names of all entries of a list as one text, in which a part of a name is found without going through the entries.
import { normalise } from '../name-index.ts';

/** Between the names: no normalised text has it. */
const BETWEEN = '\n';

/**
 * A function that gives the positions of the entries of which a name has a part, in their order. Part and names are
 * normalised; a part that begins with a space is the beginning of a word, and an empty one is in none.
 */
export function indexNames<T>(
  list: readonly T[],
  namesOf: (entry: T) => readonly string[],
): (part: string) => number[] {
  const texts = list.map((entry) =>
    namesOf(entry)
      .map((name) => `${BETWEEN} ${normalise(name)}`)
      .join(''),
  );
  const ends = new Uint32Array(list.length);
  let end = 0;
  texts.forEach((text, at) => {
    end += text.length;
    ends[at] = end;
  });
  const all = texts.join('');
  return (part) => {
    if (part === '') return [];
    const found: number[] = [];
    for (let from = all.indexOf(part); from >= 0 && from < all.length; from = all.indexOf(part, from)) {
      const at = entryAt(ends, from);
      found.push(at);
      from = ends[at] ?? all.length;
    }
    return found;
  };
}

/** The first entry that ends behind the place. */
function entryAt(ends: Uint32Array, place: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
