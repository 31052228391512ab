/** Caches the latest `limit` results of a pure function of one number. */
export function memoize<T>(limit: number, compute: (key: number) => T): (key: number) => T {
  const cache = new Map<number, T>();
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    const [oldest] = cache.keys();
    if (cache.size >= limit && oldest !== undefined) cache.delete(oldest);
    cache.set(key, value);
    return value;
  };
}
