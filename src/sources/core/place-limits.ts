// How many places of a feed are kept, and for how long. A publisher names its places, so that a faulty or hostile one may
// invent new ones at every poll: what is remembered of places is bounded in number and time, whatever it sends.
import { DAY } from '../../domain/time/slot.ts';
import type { Feed } from './feed.ts';
import type { Measurement, RowFault } from './measurement.ts';

export interface PlaceLimits {
  /** Places of one feed. The largest real ones (all bus stops or car parks of a large city) have about 5,000. */
  places: number;
  /** Places of one feed that have the same pocket as their nearest: it is a few streets, and each snapshot lists them. */
  of_pocket: number;
  /** Rows of one poll that are kept: a few fields of all places. */
  rows: number;
  /** Rows of one place and field in one poll: some feeds repeat their last hours, a value a minute. */
  of_sensor: number;
}

export const placeLimits: PlaceLimits = { places: 10_000, of_pocket: 500, rows: 50_000, of_sensor: 500 };

/**
 * How long a place is remembered after it was last received: as long as it was there, within these bounds. Invented ones
 * make room after a day; one that was there for a year may be away for two months.
 */
export const placeMemory = { shortest: DAY, longest: 60 * DAY };

/** What is known of a feed's places before a poll. */
export interface KnownPlaces {
  /** Of the places that the poll names, those that are remembered. */
  has(place_id: string): boolean;
  /** How many are remembered, by their nearest pocket. */
  counts: ReadonlyMap<string, number>;
}

export const noPlaces: KnownPlaces = { has: () => false, counts: new Map() };

/** Why a row is left out; undefined where it is kept. */
export type Admit = (
  row: Pick<Measurement, 'place_id' | 'field'>,
  nearest: string,
) => Extract<RowFault, 'too_many_places' | 'too_many_rows'> | undefined;

/**
 * Admits the rows of one poll. Places that are remembered, and those that `sources.json` lists, go before new ones, so
 * that inventions cannot push them out.
 */
export function admitRows(
  { places: stated = {} }: Pick<Feed, 'places'>,
  known: KnownPlaces,
  limits: PlaceLimits = placeLimits,
): Admit {
  const counts = new Map(known.counts);
  let all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const added = new Set<string>();
  const rows = new Map<string, number>();
  let kept = 0;
  return ({ place_id, field }, nearest) => {
    if (!known.has(place_id) && !added.has(place_id)) {
      const ofPocket = counts.get(nearest) ?? 0;
      const isFull = all >= limits.places || ofPocket >= limits.of_pocket;
      if (isFull && !Object.hasOwn(stated, place_id)) return 'too_many_places';
      added.add(place_id);
      counts.set(nearest, ofPocket + 1);
      all += 1;
    }
    const sensor = `${field} ${place_id}`;
    const ofSensor = rows.get(sensor) ?? 0;
    if (kept >= limits.rows || ofSensor >= limits.of_sensor) return 'too_many_rows';
    rows.set(sensor, ofSensor + 1);
    kept += 1;
    return undefined;
  };
}
