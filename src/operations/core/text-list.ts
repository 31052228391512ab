// Lists in the text half of an answer. They are bounded, so that a text stays under 4 KiB at default arguments whatever
// the city, and they say at which REST address the rest is.

/** Leaves room for the sentences before and after the list. */
const MAX_LIST_BYTES = 3 * 1024;

/** The first items that fit into `room` bytes, at most `most`, then how many are left out and where all of them are. */
export function listWithin(
  items: readonly string[],
  address: string,
  most: number = Number.POSITIVE_INFINITY,
  room: number = MAX_LIST_BYTES,
): string[] {
  const fitting = firstWithin(items, most, room);
  const left = items.length - fitting.length;
  return left ? [...fitting, `and ${left} more at ${address}`] : fitting;
}

/** The first items that fit into `room` bytes, at most `most`. */
export function firstWithin(items: readonly string[], most: number, room: number): string[] {
  const fitting: string[] = [];
  let bytes = 0;
  for (const item of items.slice(0, most)) {
    bytes += Buffer.byteLength(item) + 2;
    if (bytes > room) break;
    fitting.push(item);
  }
  return fitting;
}

/** A REST address of the service, relative to its own; parameters without a value are left out. */
export function restAddress(
  path: string,
  parameters: Record<string, string | number | undefined> = {},
): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}
