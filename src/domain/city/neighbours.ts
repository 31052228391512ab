import { MIN_SAMPLES, type Norm } from '../stats/norm.ts';
import type { Pocket } from './city.ts';

/** What goes on around an outlet: other outlets that are open here and in the pockets nearby, and the streets of those pockets. */
export interface Surroundings {
  outlets: number;
  /** Their use and what is usual for them at this hour, each added up. */
  use: number;
  usual_use: number;
  /** Footfall of the fullest street against its ordinary peak; null when none was counted. */
  crowd: number | null;
}

/** An active outlet as it was counted at a slot. */
export interface OutletActivity {
  pocket_id: string;
  /** Milliseconds until it closes; 0 while it is closed. */
  open_for: number;
  /** Share of its capacity in use; null when it was not counted. */
  activity: number | null;
  /** Its activity at this hour on such days, while it was open. */
  usual: Norm;
}

type Place = Pick<Pocket, 'id' | 'lat' | 'lng'>;

/** A quarter of an hour on foot. */
const NEAR_KM = 1.25;
const KM_A_DEGREE = 111.2;

/** For each pocket the others that people walk over to. */
export function neighbours(pockets: readonly Place[]): ReadonlyMap<string, readonly string[]> {
  let found = known.get(pockets);
  if (!found) {
    const nearby = nearbyOf(pockets);
    const near = (here: Place) =>
      nearby(here).filter((there) => there !== here && kmBetween(here, there) <= NEAR_KM);
    found = new Map(pockets.map((here) => [here.id, near(here).map(({ id }) => id)]));
    known.set(pockets, found);
  }
  return found;
}

/** Pockets do not move: once is enough. */
const known = new WeakMap<readonly Place[], ReadonlyMap<string, readonly string[]>>();

/** Those on the same square of the map or next to it, in the order given: a large city is not searched for each. */
function nearbyOf(pockets: readonly Place[]): (place: Place) => Place[] {
  const tall = NEAR_KM / KM_A_DEGREE;
  const north = Math.max(...pockets.map(({ lat }) => Math.abs(lat)));
  const wide = tall / Math.max(Math.cos((north * Math.PI) / 180), 0.01);
  const squareOf = ({ lat, lng }: Place) => [Math.floor(lat / tall), Math.floor(lng / wide)] as const;
  const order = new Map(pockets.map((place, at) => [place, at]));
  const squares = Map.groupBy(pockets, (place) => squareOf(place).join());
  return (place) => {
    const [row, column] = squareOf(place);
    const around = [-1, 0, 1].flatMap((up) =>
      [-1, 0, 1].flatMap((along) => squares.get(`${row + up},${column + along}`) ?? []),
    );
    return around.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
}

/** Over a few kilometres the ground is flat enough. */
function kmBetween(a: Place, b: Place): number {
  const east = (a.lng - b.lng) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return KM_A_DEGREE * Math.hypot(a.lat - b.lat, east);
}

/** Answers what is around one of the counted outlets. `crowds` is footfall by pocket, against the ordinary peak. */
export function surroundings(
  near: ReadonlyMap<string, readonly string[]>,
  counted: readonly OutletActivity[],
  crowds: ReadonlyMap<string, number>,
): (outlet: OutletActivity) => Surroundings {
  const pockets = new Map<string, Omit<Surroundings, 'crowd'>>();
  for (const outlet of counted) {
    const sum = pockets.get(outlet.pocket_id) ?? none;
    pockets.set(outlet.pocket_id, added(sum, outlet, 1));
  }
  const regions = new Map<string, Surroundings>();
  for (const [pocket, nearby] of near) {
    let crowd: number | null = null;
    const sum = { ...(pockets.get(pocket) ?? none) };
    for (const other of nearby) {
      const theirs = pockets.get(other) ?? none;
      sum.outlets += theirs.outlets;
      sum.use += theirs.use;
      sum.usual_use += theirs.usual_use;
      const street = crowds.get(other);
      if (street !== undefined) crowd = Math.max(crowd ?? 0, street);
    }
    regions.set(pocket, { ...sum, crowd });
  }
  return (outlet) => {
    const region = regions.get(outlet.pocket_id) ?? { ...none, crowd: null };
    return { ...added(region, outlet, -1), crowd: region.crowd };
  };
}

const none = { outlets: 0, use: 0, usual_use: 0 };

function added(sum: typeof none, { open_for, activity, usual }: OutletActivity, times: 1 | -1): typeof none {
  if (!open_for || !activity || usual.samples < MIN_SAMPLES) return sum;
  return {
    outlets: sum.outlets + times,
    use: sum.use + times * activity,
    usual_use: sum.usual_use + times * usual.mean,
  };
}
