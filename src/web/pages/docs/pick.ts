// Some fields of an answer, in the order of the answer.

/** `paths` are names with dots between them; in a list they are those of each row. What an answer lacks is left out. */
export function pick(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((row) => pick(row, paths));
  if (typeof value !== 'object' || value === null || paths.includes('')) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const own = paths.flatMap((path) => {
        const [first, ...rest] = path.split('.');
        return first === name ? [rest.join('.')] : [];
      });
      return own.length ? [[name, pick(field, own)]] : [];
    }),
  );
}
