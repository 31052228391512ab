/** Loads `count` parts, at most `ahead` concurrently, and yields them in order. */
export async function* inOrder<T>(
  count: number,
  ahead: number,
  load: (index: number) => Promise<T>,
): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  for (let next = 0, given = 0; given < count; given++) {
    while (next < count && waiting.length < ahead) {
      const part = load(next++);
      // A failed part is reported when it is awaited below, or never if an earlier one failed first.
      part.catch(() => {});
      waiting.push(part);
    }
    yield await (waiting.shift() as Promise<T>);
  }
}
