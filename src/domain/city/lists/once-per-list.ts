/** What is made of a list when it is asked for first, and kept for as long as the list. */
export function oncePerList<T extends object, V>(make: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const made = new WeakMap<readonly T[], V>();
  return (list) => {
    const known = made.get(list) ?? make(list);
    made.set(list, known);
    return known;
  };
}
