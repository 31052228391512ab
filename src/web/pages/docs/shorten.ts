// Shortens a real answer so that it fits on a page, by rules that the page states.

export interface Shortened {
  value: unknown;
  /** What was left out, such as `entries: 2 of 50`. */
  cuts: string[];
}

export const MAX_ROWS = 2;
export const MAX_CHARACTERS = 160;
/** Of an object whose names are data, such as the paths of the OpenAPI document. */
export const MAX_FIELDS = 40;

/** Lists keep their first rows, long texts their beginning, and objects with very many fields the first of them. */
export function shorten(value: unknown, path = ''): Shortened {
  if (typeof value === 'string') {
    const isLong = value.length > MAX_CHARACTERS;
    return { value: isLong ? `${value.slice(0, MAX_CHARACTERS)}…` : value, cuts: [] };
  }
  if (Array.isArray(value)) {
    const rows = value.slice(0, MAX_ROWS).map((row) => shorten(row, `${path}[]`));
    const own = value.length > MAX_ROWS ? [`${path || 'rows'}: ${MAX_ROWS} of ${value.length}`] : [];
    return { value: rows.map((row) => row.value), cuts: [...own, ...rows.flatMap(({ cuts }) => cuts)] };
  }
  if (typeof value !== 'object' || value === null) return { value, cuts: [] };
  const all = Object.entries(value);
  const kept = all.length > MAX_FIELDS ? all.slice(0, MAX_ROWS) : all;
  const own = kept.length < all.length ? [`${path}: ${kept.length} of ${all.length}`] : [];
  const fields = kept.map(
    ([name, field]) => [name, shorten(field, path ? `${path}.${name}` : name)] as const,
  );
  return {
    value: Object.fromEntries(fields.map(([name, field]) => [name, field.value])),
    cuts: [...own, ...fields.flatMap(([, { cuts }]) => cuts)],
  };
}
