// Opendatasoft explore v2.1 with Melbourne's pedestrian counters: people a minute for the past hour, in pages.

import { type FeedView, json, type Place, type Publisher } from '../view.ts';
import { offsetTime } from './local-time.ts';

const ZONE = 'Australia/Melbourne';
const DATASET = 'pedestrian-counting-system-past-hour-counts-per-minute';
const FEED = 'opendatasoft.people_per_minute';
const MOST_ROWS = 100;

export const opendatasoft: Publisher = ({ path, query }, view) => {
  if (path !== `api/explore/v2.1/catalog/datasets/${DATASET}/records`) return null;
  const limit = Number(query.get('limit') ?? 10);
  const offset = Number(query.get('offset') ?? 0);
  if (!(limit >= 0 && limit <= MOST_ROWS && offset >= 0))
    return json({ error_code: 'InvalidRESTParameterError', message: 'limit or offset' }, 'message', 400);
  const rows = view.repeatRows(pastHour(view));
  return json(
    { total_count: rows.length, results: rows.slice(offset, offset + limit).map((row) => record(row, view)) },
    'total_of_directions',
  );
};

interface Minute {
  time: number;
  place: Place;
}

/** The newest minute first, as the service asks for it. */
function pastHour(view: FeedView): Minute[] {
  const newest = view.observedTime(60);
  const minutes = Array.from({ length: 60 }, (_, n) => newest - n * 60_000);
  const places = view.places(FEED);
  return minutes.flatMap((time) => places.map((place) => ({ time, place })));
}

function record({ time, place }: Minute, view: FeedView): object {
  const sensing_datetime = offsetTime(time, ZONE);
  const count = view.value(FEED, place, time);
  return {
    location_id: /^\d+$/.test(place.id) ? Number(place.id) : place.id,
    sensing_datetime,
    sensing_date: sensing_datetime.slice(0, 10),
    sensing_time: sensing_datetime.slice(11, 19),
    direction_1: Math.floor(count / 2),
    direction_2: Math.ceil(count / 2),
    total_of_directions: count,
  };
}
