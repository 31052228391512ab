/** Loads `count` parts, at most `ahead` at a time, and gives them in their order. */
export async function* inOrder<T>(
  count: number,
  ahead: number,
  load: (index: number) => Promise<T>,
): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  for (let next = 0, given = 0; given < count; given++) {
    while (next < count && waiting.length < ahead) {
      const part = load(next++);
      // A part that fails is heard of when its turn comes, or never if an earlier one ended it all.
      part.catch(() => {});
      waiting.push(part);
    }
    yield await (waiting.shift() as Promise<T>);
  }
}
