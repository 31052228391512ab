/**
 * Numbers by key, as one text: `;9 calm=1,4,2;10 calm=7`. What a pocket has learned is a table of hundreds of short lists;
 * as text it is stored and read in one piece, and each slot looks up a few keys only.
 */
export type NumberTable = string;

/** Keys contain neither `;` nor `=`. */
const row = (key: string, numbers: readonly number[]): string => `;${key}=${numbers.join(',')}`;

const parseNumbers = (text: string): number[] => (text === '' ? [] : text.split(',').map(Number));

export function numbersAt(table: NumberTable, key: string): number[] | undefined {
  const at = table.indexOf(`;${key}=`);
  if (at < 0) return undefined;
  const end = table.indexOf(';', at + 1);
  return parseNumbers(table.slice(at + key.length + 2, end < 0 ? undefined : end));
}

/** The table with these numbers in place of those that the key had. */
export function withNumbers(table: NumberTable, key: string, numbers: readonly number[]): NumberTable {
  const at = table.indexOf(`;${key}=`);
  if (at < 0) return table + row(key, numbers);
  const end = table.indexOf(';', at + 1);
  return table.slice(0, at) + row(key, numbers) + (end < 0 ? '' : table.slice(end));
}

/** The keys with their numbers: all, or those that begin with a text. */
export function tableEntries(table: NumberTable, start = ''): [key: string, numbers: number[]][] {
  const entries: [string, number[]][] = [];
  for (let at = table.indexOf(`;${start}`); at >= 0; at = table.indexOf(`;${start}`, at + 1)) {
    const end = table.indexOf(';', at + 1);
    const equals = table.indexOf('=', at);
    entries.push([
      table.slice(at + 1, equals),
      parseNumbers(table.slice(equals + 1, end < 0 ? undefined : end)),
    ]);
  }
  return entries;
}

/** What a store has; that of an earlier release has an object of lists, or of objects of numbers. */
export const readTable = (
  stored: NumberTable | Record<string, readonly number[] | object> | undefined,
): NumberTable =>
  typeof stored === 'string'
    ? stored
    : Object.entries(stored ?? {})
        .map(([key, numbers]) => row(key, Object.values(numbers)))
        .join('');
