// Finds entries of the lists of a city by a name, without going through all of them.
import type { Outlet, Pocket, Registry } from '../city.ts';
import { indexHashes, textHash } from './hash-index.ts';

/** The entries whose text of the field is the given one, in the order of the list. */
type Find<T> = (text: string) => T[];

export const findPocket = ({ pockets }: Pick<Registry, 'pockets'>, id: string): Pocket | undefined =>
  pocketsById(pockets)(id)[0];

/** Also one that is closed for good. */
export const findOutlet = ({ outlets }: Pick<Registry, 'outlets'>, id: string): Outlet | undefined =>
  outletsById(outlets)(id)[0];

/** The outlets of a pocket. */
export const outletsAt = ({ outlets }: Pick<Registry, 'outlets'>, pocket_id: string): Outlet[] =>
  outletsByPocket(outlets)(pocket_id);

/** For each list what it is searched with, made when it is searched first. */
function oncePerList<T extends object, V>(make: (list: readonly T[]) => V): (list: readonly T[]) => V {
  const made = new WeakMap<readonly T[], V>();
  return (list) => {
    const known = made.get(list) ?? make(list);
    made.set(list, known);
    return known;
  };
}

const pocketsById = oncePerList((pockets: readonly Pocket[]) => indexTexts(pockets, ({ id }) => id));
const outletsById = oncePerList((outlets: readonly Outlet[]) => indexTexts(outlets, ({ id }) => id));
const outletsByPocket = oncePerList((outlets: readonly Outlet[]) =>
  indexTexts(outlets, ({ pocket_id }) => pocket_id),
);

/** In the order of their ids. */
export const pocketsInOrder = ({ pockets }: Pick<Registry, 'pockets'>): readonly Pocket[] => sorted(pockets);

const sorted = oncePerList((pockets: readonly Pocket[]) =>
  pockets.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
);

function indexTexts<T>(list: readonly T[], textOf: (entry: T) => string): Find<T> {
  const positions = indexHashes(Uint32Array.from(list, (entry) => textHash(textOf(entry))));
  return (text) =>
    positions(textHash(text)).flatMap((at) => {
      const entry = list[at] as T;
      return textOf(entry) === text ? [entry] : [];
    });
}
