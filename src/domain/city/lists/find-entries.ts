// Finds entries of the lists of a city by a name, without going through all of them.
import type { Outlet, Pocket, Registry } from '../city.ts';
import { normalise } from '../name-index.ts';
import { indexHashes, textHash } from './hash-index.ts';
import { oncePerList } from './once-per-list.ts';

type Pockets = Pick<Registry, 'pockets'>;
type Outlets = Pick<Registry, 'outlets'>;

export function findPocket({ pockets }: Pockets, id: string): Pocket | undefined {
  const [at = -1] = pocketsById(pockets)(id);
  return pockets[at];
}

/** Every pocket of these ids, in the order of the list. */
export function findPockets({ pockets }: Pockets, ids: Iterable<string>): Pocket[] {
  const found = new Set([...ids].flatMap(pocketsById(pockets)));
  return entriesAt(
    pockets,
    [...found].sort((a, b) => a - b),
  );
}

/** Also one that is closed for good. */
export function findOutlet({ outlets }: Outlets, id: string): Outlet | undefined {
  const [at = -1] = outletsById(outlets)(id);
  return outlets[at];
}

/** The outlets of a pocket, in the order of the list. */
export const outletsAt = ({ outlets }: Outlets, pocket_id: string): Outlet[] =>
  entriesAt(outlets, outletsByPocket(outlets)(pocket_id));

/** The outlets of this name, or of this id in other letters. */
export function outletsNamed({ outlets }: Outlets, words: string): Outlet[] {
  const name = normalise(words);
  const own = outletsById(outlets)(name.replaceAll(' ', '-'));
  return entriesAt(outlets, [...new Set([...own, ...outletsByName(outlets)(name)])]);
}

/** In the order of their ids. */
export const pocketsInOrder = ({ pockets }: Pockets): readonly Pocket[] => sortedById(pockets);

const entriesAt = <T>(list: readonly T[], positions: readonly number[]): T[] =>
  positions.map((at) => list[at] as T);

/** The positions of the entries of which the field has this text, in their order. */
const indexBy = <T extends object>(textOf: (entry: T) => string) =>
  oncePerList((list: readonly T[]) => {
    const positions = indexHashes(Uint32Array.from(list, (entry) => textHash(textOf(entry))));
    return (text: string) => positions(textHash(text)).filter((at) => textOf(list[at] as T) === text);
  });

const pocketsById = indexBy(({ id }: Pocket) => id);
const outletsById = indexBy(({ id }: Outlet) => id);
const outletsByPocket = indexBy(({ pocket_id }: Outlet) => pocket_id);
const outletsByName = indexBy(({ name }: Outlet) => normalise(name));
const sortedById = oncePerList((pockets: readonly Pocket[]) =>
  pockets.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
);
