// A cache for canonical JSON: the sorted order of the keys of objects that list the same keys in the same order.

/** The members of an object in canonical order, each with the text that precedes its value. */
export interface Shape {
  /** Positions in the object's own order of members, sorted canonically. */
  order: readonly number[];
  labels: readonly string[];
}

interface Known extends Shape {
  /** The keys in the object's own order. */
  from: readonly string[];
}

/**
 * Rows of one type list the same keys in the same order, and sorting them is half the cost of serialising a row. The
 * cache is bounded and changes no result: a client that sends many shapes can only make it useless.
 */
const MAX_FIRST_KEYS = 128;
const MAX_SHAPES = 8;
const MAX_KEYS = 32;

export function shapeMemory(quoted: (key: string) => string): (keys: readonly string[]) => Shape {
  const known = new Map<string, Known[]>();
  return (keys) => {
    const first = keys[0];
    if (first === undefined || keys.length > MAX_KEYS) return sortedShape(keys, quoted);
    const candidates = known.get(first);
    const match = candidates?.find(({ from }) => same(from, keys));
    if (match) return match;
    const shape = { from: keys, ...sortedShape(keys, quoted) };
    if (candidates) {
      if (candidates.length < MAX_SHAPES) candidates.push(shape);
    } else if (known.size < MAX_FIRST_KEYS) known.set(first, [shape]);
    return shape;
  };
}

/** A plain sort compares UTF-16 code units, as RFC 8785 requires. */
function sortedShape(keys: readonly string[], quoted: (key: string) => string): Shape {
  const sorted = keys.toSorted();
  return {
    order: sorted.map((key) => keys.indexOf(key)),
    labels: sorted.map((key, i) => `${(i === 0 ? '{' : ',') + quoted(key)}:`),
  };
}

function same(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
