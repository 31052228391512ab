// The places of each feed and when they were seen. What else is remembered of a place, here and in the pipeline's state,
// is forgotten with it (src/sources/core/place-limits.ts says when).
import { inClause, inClauseChunks } from '../engine/in-clause-chunks.ts';
import type { Reader, Transaction } from '../engine/store.ts';

export interface FeedPlaceRow {
  place_id: string;
  /** The nearest of the pockets that it counts for. */
  pocket_id: string;
}

/** Of these places, those that are remembered. */
export async function knownPlaces(
  store: Reader,
  feed: string,
  places: readonly string[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (const chunk of inClauseChunks(places)) {
    const rows = await store.all<{ place_id: string }>(
      `select place_id from feed_places where feed = ? and place_id in (${inClause(chunk)})`,
      feed,
      ...chunk,
    );
    for (const { place_id } of rows) known.add(place_id);
  }
  return known;
}

/** How many places of a feed are remembered, by their nearest pocket. */
export async function placeCounts(store: Reader, feed: string): Promise<Map<string, number>> {
  const rows = await store.all<{ pocket_id: string; places: number }>(
    'select pocket_id, count(*) as places from feed_places where feed = ? group by pocket_id',
    feed,
  );
  return new Map(rows.map(({ pocket_id, places }) => [pocket_id, places]));
}

/** How exactly the last sight of a place is known: they are remembered for days, so not every poll writes all of them. */
const SIGHT_MS = 60 * 60_000;

export const writePlaces = (
  tx: Transaction,
  feed: string,
  places: readonly FeedPlaceRow[],
  at: number,
): Promise<void> =>
  tx.insert(
    'feed_places',
    places.map(({ place_id, pocket_id }) => ({ feed, place_id, pocket_id, first_seen: at, last_seen: at })),
    `on conflict (feed, place_id) do update set last_seen = excluded.last_seen, pocket_id = excluded.pocket_id
     where feed_places.last_seen < excluded.last_seen - ${SIGHT_MS}`,
  );

/**
 * Forgets places that have not been seen for as long as they were there before, within these bounds, and what else is
 * remembered of their sensors. Measured up to the feed's newest sight of any place: while a feed is away none of its
 * places grows older, except that after the longest time all are forgotten.
 */
export async function forgetPlaces(
  tx: Transaction,
  now: number,
  { shortest, longest }: { shortest: number; longest: number },
): Promise<void> {
  const feeds = await tx.all<{ feed: string; newest: number }>(
    'select feed, max(last_seen) as newest from feed_places group by feed',
  );
  for (const { feed, newest } of feeds)
    await tx.run(
      `delete from feed_places where feed = ?
       and (last_seen < ? or (last_seen < ? and last_seen - first_seen < ? - last_seen))`,
      feed,
      now - longest,
      newest - shortest,
      newest,
    );
  await tx.run(
    `delete from sensor_runs where not exists (select 1 from feed_places p
     where p.feed = sensor_runs.feed and p.place_id = sensor_runs.place_id)`,
  );
  await tx.run(`delete from excluded_sensors where sensor not in (select ${SENSOR} from sensor_runs)`);
}

/** Feed, place and field as the crowd names a sensor. */
const SENSOR = "feed || '/' || place_id || '/' || field";

/** The entries of the pipeline's state that begin with `prefix` and name a sensor that is no longer remembered. */
const forgotten = (prefix: string): string =>
  `key like '${prefix}%' and key not in (select '${prefix}' || ${SENSOR} from sensor_runs)`;

/** The districts for which `forgetSensorState` would find anything: it takes the lock of their state. */
export const districtsWithForgotten = async (store: Reader, prefix: string): Promise<string[]> =>
  (
    await store.all<{ district: string }>(
      `select distinct district from pipeline_state where ${forgotten(prefix)}`,
    )
  ).map(({ district }) => district);

export const forgetSensorState = (tx: Transaction, prefix: string, district: string): Promise<void> =>
  tx.run(`delete from pipeline_state where district = ? and ${forgotten(prefix)}`, district);
