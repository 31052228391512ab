// The districts of a city: the parts of it that are computed on their own. A city of a usual size is one district.
import type { Pocket } from './city.ts';
import { metresBetween } from './distance.ts';

/** The district of a city that has only one, and of what is computed for the whole of a larger city. */
export const WHOLE_CITY = '';

/** What one district computes in a second or two, and one worker holds in memory a dozen times. */
export const MOST_POCKETS = 500;

type Placed = Pick<Pocket, 'id' | 'lat' | 'lng' | 'district'>;

/**
 * The district of each pocket. What the city's files state counts. Else a pocket stays in the district that it is `known`
 * to be in; a new one joins the district of the pocket nearest to it that has room; and where there is none, districts
 * are formed of those that are left, by halving what they cover until each has at most `most`.
 */
export function assignDistricts(
  pockets: readonly Placed[],
  known: ReadonlyMap<string, string>,
  most = MOST_POCKETS,
): Map<string, string> {
  if (pockets.some(({ district }) => district !== undefined))
    return new Map(pockets.map(({ id, district }) => [id, district ?? WHOLE_CITY]));
  const kept = pockets.filter(({ id }) => known.has(id));
  if (!kept.length && pockets.length <= most) return new Map(pockets.map(({ id }) => [id, WHOLE_CITY]));

  const assigned = new Map(kept.map(({ id }) => [id, known.get(id) ?? WHOLE_CITY]));
  const sizes = new Map<string, number>();
  for (const district of assigned.values()) sizes.set(district, (sizes.get(district) ?? 0) + 1);
  const left: Placed[] = [];
  for (const pocket of pockets) {
    if (assigned.has(pocket.id)) continue;
    const near = nearest(
      pocket,
      kept.filter(({ id }) => (sizes.get(assigned.get(id) ?? '') ?? 0) < most),
    );
    const district = near && assigned.get(near.id);
    if (district === undefined) left.push(pocket);
    else {
      assigned.set(pocket.id, district);
      sizes.set(district, (sizes.get(district) ?? 0) + 1);
    }
  }
  let number = Math.max(0, ...[...sizes.keys()].map(numberIn));
  for (const group of halve(left, most)) {
    number += 1;
    for (const { id } of group) assigned.set(id, `d${String(number).padStart(4, '0')}`);
  }
  return assigned;
}

const numberIn = (district: string): number => Number(/^d(\d+)$/.exec(district)?.[1] ?? 0);

function nearest(here: Placed, others: readonly Placed[]): Placed | undefined {
  let found: Placed | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const there of others) {
    const metres = metresBetween(here, there);
    if (metres >= least) continue;
    least = metres;
    found = there;
  }
  return found;
}

/** Cut across the longer side of what the pockets cover, so that those of a district are near each other. */
function halve(pockets: readonly Placed[], most: number): (readonly Placed[])[] {
  if (pockets.length <= most) return pockets.length ? [pockets] : [];
  const [first] = pockets as [Placed];
  const wide = (axis: 'lat' | 'lng') => {
    let [low, high] = [first[axis], first[axis]];
    for (const pocket of pockets) {
      low = Math.min(low, pocket[axis]);
      high = Math.max(high, pocket[axis]);
    }
    return high - low;
  };
  const axis = wide('lat') >= wide('lng') * Math.cos((first.lat * Math.PI) / 180) ? 'lat' : 'lng';
  const sorted = pockets.toSorted((a, b) => a[axis] - b[axis] || (a.id < b.id ? -1 : 1));
  const half = Math.ceil(sorted.length / 2);
  return [...halve(sorted.slice(0, half), most), ...halve(sorted.slice(half), most)];
}
