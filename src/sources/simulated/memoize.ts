/** Caches the latest `limit` results of a pure function of one number. */
export function memoize<T>(limit: number, compute: (key: number) => T): (key: number) => T {
  const kept = new Map<number, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    const [oldest] = kept.keys();
    if (kept.size >= limit && oldest !== undefined) kept.delete(oldest);
    kept.set(key, value);
    return value;
  };
}
