// Pockets within walking distance of each other, and how busy their outlets are.
import { MIN_SAMPLES, type Norm } from '../stats/norm.ts';
import type { Pocket } from './city.ts';

/** Use of the other open outlets in an outlet's pocket and the pockets nearby, and footfall in the pockets nearby. */
export interface NeighbourActivity {
  /** How many other outlets are open and were counted. */
  outlets: number;
  /** Sums of their activity, and of their usual activity at this hour. */
  use: number;
  usual_use: number;
  /** The highest footfall of the pockets nearby, as a share of their peak; null when none was measured. */
  crowd: number | null;
}

/** The activity of an active outlet at a slot. */
export interface OutletActivity {
  pocket_id: string;
  /** Milliseconds until it closes; 0 while it is closed. */
  open_for: number;
  /** Share of its capacity in use; null when it was not measured. */
  activity: number | null;
  /** Its activity at this hour on such days, while it was open. */
  usual: Norm;
}

type PocketPosition = Pick<Pocket, 'id' | 'lat' | 'lng'>;

/** A quarter of an hour on foot. */
const NEAR_KM = 1.25;
/** A degree of latitude. */
const KM_A_DEGREE = 111.2;

/**
 * For each pocket the ids of those within walking distance. Cached by the array of pockets, since pockets do not
 * move.
 */
export function neighbours(pockets: readonly PocketPosition[]): ReadonlyMap<string, readonly string[]> {
  let found = cache.get(pockets);
  if (!found) {
    const nearby = gridSearch(pockets);
    const near = (here: PocketPosition) =>
      nearby(here).filter((there) => there !== here && kmBetween(here, there) <= NEAR_KM);
    found = new Map(pockets.map((here) => [here.id, near(here).map(({ id }) => id)]));
    cache.set(pockets, found);
  }
  return found;
}

const cache = new WeakMap<readonly PocketPosition[], ReadonlyMap<string, readonly string[]>>();

/**
 * Finds the places in the same grid square or a neighbouring one, in the order given, so that a large city is not
 * searched for each place. A square is as wide as the walking distance at the latitude where degrees are shortest.
 */
function gridSearch(pockets: readonly PocketPosition[]): (place: PocketPosition) => PocketPosition[] {
  const latDegrees = NEAR_KM / KM_A_DEGREE;
  const north = Math.max(...pockets.map(({ lat }) => Math.abs(lat)));
  const lngDegrees = latDegrees / Math.max(Math.cos((north * Math.PI) / 180), 0.01);
  const gridSquare = ({ lat, lng }: PocketPosition) =>
    [Math.floor(lat / latDegrees), Math.floor(lng / lngDegrees)] as const;
  const order = new Map(pockets.map((place, at) => [place, at]));
  const squares = Map.groupBy(pockets, (place) => gridSquare(place).join());
  return (place) => {
    const [row, column] = gridSquare(place);
    const around = [-1, 0, 1].flatMap((up) =>
      [-1, 0, 1].flatMap((along) => squares.get(`${row + up},${column + along}`) ?? []),
    );
    return around.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
}

/** Equirectangular distance, which is accurate enough over a few kilometres. */
function kmBetween(a: PocketPosition, b: PocketPosition): number {
  const east = (a.lng - b.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return KM_A_DEGREE * Math.hypot(a.lat - b.lat, east);
}

/**
 * Returns a function that gives the neighbour activity of one of `outlets`. Sums are made once for each pocket and its
 * neighbours; an outlet's own activity is then subtracted. `crowds` is footfall by pocket, as a share of its peak.
 */
export function neighbourActivity(
  near: ReadonlyMap<string, readonly string[]>,
  outlets: readonly OutletActivity[],
  crowds: ReadonlyMap<string, number>,
): (outlet: OutletActivity) => NeighbourActivity {
  const pockets = new Map<string, Omit<NeighbourActivity, 'crowd'>>();
  for (const outlet of outlets) {
    const sum = pockets.get(outlet.pocket_id) ?? emptySums;
    pockets.set(outlet.pocket_id, addOutlet(sum, outlet, 1));
  }
  const regions = new Map<string, NeighbourActivity>();
  for (const [pocket, nearby] of near) {
    let crowd: number | null = null;
    const sum = { ...(pockets.get(pocket) ?? emptySums) };
    for (const other of nearby) {
      const theirs = pockets.get(other) ?? emptySums;
      sum.outlets += theirs.outlets;
      sum.use += theirs.use;
      sum.usual_use += theirs.usual_use;
      const footfall = crowds.get(other);
      if (footfall !== undefined) crowd = Math.max(crowd ?? 0, footfall);
    }
    regions.set(pocket, { ...sum, crowd });
  }
  return (outlet) => {
    const region = regions.get(outlet.pocket_id) ?? { ...emptySums, crowd: null };
    return { ...addOutlet(region, outlet, -1), crowd: region.crowd };
  };
}

const emptySums = { outlets: 0, use: 0, usual_use: 0 };

/** Adds an outlet to the sums, or subtracts it; one that is closed, not counted or without a norm does not count. */
function addOutlet(
  sum: typeof emptySums,
  { open_for, activity, usual }: OutletActivity,
  sign: 1 | -1,
): typeof emptySums {
  if (!open_for || activity === null || usual.samples < MIN_SAMPLES) return sum;
  return {
    outlets: sum.outlets + sign,
    use: sum.use + sign * activity,
    usual_use: sum.usual_use + sign * usual.mean,
  };
}
