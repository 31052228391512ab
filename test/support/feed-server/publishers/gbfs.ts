// GBFS 2.3 under `2/` and 3.0 under `3/`: discovery, stations and free-floating vehicles.
import { around, type FeedAnswer, type FeedView, json, type Place, type Publisher } from '../view.ts';

type Version = '2' | '3';

const TTL_SECONDS = 60;

export const gbfs: Publisher = ({ path, base }, view) => {
  const [version, file] = path.split('/');
  if (version !== '2' && version !== '3') return null;
  const answer = (data: object, field: string): FeedAnswer =>
    json(
      {
        last_updated: gbfsTime(view.now, version),
        ttl: TTL_SECONDS,
        version: version === '2' ? '2.3' : '3.0',
        data,
      },
      field,
    );
  switch (file) {
    case 'gbfs.json':
      return answer(discovery(version, `${base}/${version}`), 'feeds');
    case 'station_information.json':
      return answer({ stations: view.rows(stations(view, version)) }, 'station_id');
    case 'station_status.json':
      return answer({ stations: view.rows(statuses(view, version)) }, bikesName(version));
    case 'free_bike_status.json':
      return version === '2' ? answer({ bikes: view.rows(vehicles(view, version)) }, 'bikes') : null;
    case 'vehicle_status.json':
      return version === '3' ? answer({ vehicles: view.rows(vehicles(view, version)) }, 'vehicles') : null;
    default:
      return null;
  }
};

/** Epoch seconds in 2.x, RFC 3339 from 3.0. */
const gbfsTime = (time: number, version: Version) =>
  version === '2' ? Math.floor(time / 1000) : new Date(time).toISOString();

const bikesName = (version: Version) => (version === '2' ? 'num_bikes_available' : 'num_vehicles_available');

/** 2.x has a list for each language. */
function discovery(version: Version, base: string): object {
  const names = [
    'station_information',
    'station_status',
    version === '2' ? 'free_bike_status' : 'vehicle_status',
  ];
  const feeds = names.map((name) => ({ name, url: `${base}/${name}.json` }));
  return version === '2' ? { en: { feeds } } : { feeds };
}

const stations = (view: FeedView, version: Version): object[] =>
  view.places('gbfs.bikes_available').map((place) => ({
    station_id: place.id,
    name: version === '2' ? placeName(place) : [{ text: placeName(place), language: 'en' }],
    lat: place.lat,
    lon: place.lng,
    capacity: 20,
  }));

const placeName = ({ id, name = id }: Place) => name;

function statuses(view: FeedView, version: Version): object[] {
  const time = view.observedTime(60);
  return view.places('gbfs.bikes_available').map((place) => ({
    station_id: place.id,
    [bikesName(version)]: view.value('gbfs.bikes_available', place, time),
    num_docks_available: view.value('gbfs.docks_available', place, time),
    is_installed: true,
    is_renting: true,
    is_returning: true,
    last_reported: gbfsTime(time, version),
  }));
}

/** As many vehicles around each place as its value says. */
function vehicles(view: FeedView, version: Version): object[] {
  const feed = 'gbfs.vehicles_nearby';
  const time = view.observedTime(60);
  return view.places(feed).flatMap((place) =>
    around(place, view.value(feed, place, time)).map(({ lat, lng }, n) => ({
      [version === '2' ? 'bike_id' : 'vehicle_id']: `${place.id}-${n}`,
      lat,
      lon: lng,
      is_reserved: false,
      is_disabled: false,
      last_reported: gbfsTime(time, version),
    })),
  );
}
