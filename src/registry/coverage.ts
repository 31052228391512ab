// Which feeds of a live city reach which pocket, as far as its files say: distances to the places of `sources.json`.

import type { Pocket } from '../domain/city/city.ts';
import { metresBetween } from '../domain/city/distance.ts';
import type { ExpectedSignal } from '../domain/signals/signal.ts';
import { expectedSignalKinds } from '../domain/signals/signal.ts';
import type { Feed } from '../sources/core/feed.ts';

export interface Coverage {
  feed: Feed;
  /**
   * Places of the feed within its reach, nearest first; `all` where the files name none, since the feed then gives a
   * value for any point, or the positions of its places with its data.
   */
  places: { id: string; metres: number | null }[] | 'all';
}

/** The feeds that reach a pocket. */
export function pocketCoverage(
  pocket: Pick<Pocket, 'id' | 'lat' | 'lng'>,
  feeds: readonly Feed[],
): Coverage[] {
  return feeds.flatMap((feed): Coverage[] => {
    const listed = Object.entries(feed.places ?? {});
    if (listed.length === 0) return [{ feed, places: 'all' }];
    const places = listed
      .map(([id, { lat, lng, pockets }]) => {
        const metres =
          lat === undefined || lng === undefined ? null : Math.round(metresBetween(pocket, { lat, lng }));
        const reached = pockets ? pockets.includes(pocket.id) : metres !== null && metres <= feed.reach_m;
        return { id, metres, reached };
      })
      .filter(({ reached }) => reached)
      .sort((a, b) => (a.metres ?? 0) - (b.metres ?? 0))
      .map(({ id, metres }) => ({ id, metres }));
    return places.length ? [{ feed, places }] : [];
  });
}

/** The sensors of a pocket's crowd that the files list. */
export const listedSensors = (
  pocket: Pick<Pocket, 'id' | 'lat' | 'lng'>,
  feeds: readonly Feed[],
): NonNullable<Pocket['sensors']> =>
  pocketCoverage(pocket, feeds).flatMap(({ feed, places }) =>
    (places === 'all' ? [] : places).flatMap((place) =>
      Object.entries(feed.fields)
        .filter(([, { measures }]) => measures === 'crowd')
        .map(([field, { proxy = false }]) => ({ id: `${feed.id}/${place.id}/${field}`, proxy })),
    ),
  );

/** What the feeds that reach a pocket measure. */
export function measuredAt(
  pocket: Pick<Pocket, 'id' | 'lat' | 'lng'>,
  feeds: readonly Feed[],
): ExpectedSignal[] {
  const measured = new Set(
    pocketCoverage(pocket, feeds).flatMap(({ feed }) =>
      Object.values(feed.fields).map(({ measures }) => measures),
    ),
  );
  return expectedSignalKinds.filter((signal) => measured.has(signal));
}
