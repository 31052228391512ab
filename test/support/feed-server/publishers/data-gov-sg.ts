// data.gov.sg: v2 with its envelope, and v1 for taxis and car parks.

import { around, type FeedAnswer, type FeedView, json, type Place, type Publisher } from '../view.ts';
import { localTime, offsetTime } from './local-time.ts';

const ZONE = 'Asia/Singapore';
const at = (time: number) => offsetTime(time, ZONE);
const numericLocation = ({ lat, lng }: Place) => ({ latitude: lat, longitude: lng });
/** WBGT and lightning write their numbers as text. */
const textLocation = ({ lat, lng }: { lat: number; lng: number }) => ({
  latitude: String(lat),
  longitude: String(lng),
});

/** Words of the two-hour forecast, by the strength of rain that the service reads from them. */
const forecasts: readonly (readonly [rain: number, words: string])[] = [
  [0, 'Partly Cloudy (Day)'],
  [0.1, 'Cloudy'],
  [0.2, 'Overcast'],
  [0.3, 'Drizzle'],
  [0.4, 'Light Rain'],
  [0.5, 'Passing Showers'],
  [0.6, 'Showers'],
  [0.7, 'Strong Winds, Showers'],
  [0.8, 'Thundery Showers'],
  [0.9, 'Heavy Rain'],
  [1, 'Heavy Thundery Showers'],
];

export interface DataGovSgOptions {
  /** Stations on a page of v2; default: all, as the publisher does for the latest values. */
  page_places?: number;
}

export function dataGovSg({ page_places = Number.POSITIVE_INFINITY }: DataGovSgOptions = {}): Publisher {
  return ({ path, query }, view) => {
    const start = Number(query.get('paginationToken') ?? 0);
    const page = (feed: string) => {
      const all = view.places(feed);
      const next = start + page_places < all.length ? String(start + page_places) : undefined;
      return { places: all.slice(start, start + page_places), next };
    };
    const stations = (field: string, every_seconds: number, type: string, unit: string) => {
      const feed = `data-gov-sg.${field}`;
      const { places, next } = page(feed);
      const time = view.observedTime(every_seconds);
      const data = places.map((place) => ({ stationId: place.id, value: view.value(feed, place, time) }));
      return v2(
        {
          stations: places.map((place) => ({
            id: place.id,
            deviceId: place.id,
            name: place.name ?? place.id,
            location: numericLocation(place),
          })),
          readings: view.rows([{ timestamp: at(time), data: view.repeatRows(data) }]),
          readingType: type,
          readingUnit: unit,
          ...(next !== undefined && { paginationToken: next }),
        },
        'value',
      );
    };
    switch (path === 'v2/weather' ? `${path}?api=${query.get('api')}` : path) {
      case 'v2/rainfall':
        return stations('rain_mm_5min', 300, 'TB1 Rainfall 5 Minute Total F', 'mm');
      case 'v2/air-temperature':
        return stations('temperature_c', 60, 'DBT 1M F', 'deg C');
      case 'v2/relative-humidity':
        return stations('humidity_pct', 60, 'RH 1M F', 'percentage');
      case 'v2/pm25':
        return pm25(view);
      case 'v2/two-hr-forecast':
        return twoHourForecast(view);
      case 'v2/weather?api=wbgt':
        return wbgt(view);
      case 'v2/weather?api=lightning':
        return lightning(view);
      case 'v1/transport/taxi-availability':
        return taxis(view);
      case 'v1/transport/carpark-availability':
        return carParks(view);
      default:
        return null;
    }
  };
}

const v2 = (data: object, field: string, errorMsg: string | null = ''): FeedAnswer =>
  json({ code: 0, data, errorMsg }, field);

function pm25(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.pm25_ug_m3';
  const places = view.places(feed);
  const time = view.observedTime(3600);
  const regions = Object.fromEntries(places.map((place) => [place.id, view.value(feed, place, time)]));
  const item = {
    date: localTime(time, ZONE).slice(0, 10),
    updatedTimestamp: at(view.now),
    timestamp: at(time),
    readings: { pm25_one_hourly: regions },
  };
  return v2(
    {
      regionMetadata: places.map((place) => ({ name: place.id, labelLocation: numericLocation(place) })),
      items: view.rows([item]),
    },
    'pm25_one_hourly',
  );
}

function twoHourForecast(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.forecast_rain';
  const places = view.places(feed);
  const time = view.observedTime(1800);
  const words = (rain: number) =>
    forecasts.reduce((best, row) => (Math.abs(row[0] - rain) < Math.abs(best[0] - rain) ? row : best))[1];
  const item = {
    update_timestamp: at(view.now),
    timestamp: at(time),
    valid_period: { start: at(time), end: at(time + 7_200_000) },
    forecasts: places.map((place) => ({ area: place.id, forecast: words(view.value(feed, place, time)) })),
  };
  return v2(
    {
      area_metadata: places.map((place) => ({ name: place.id, label_location: numericLocation(place) })),
      items: view.rows([item]),
    },
    'forecasts',
  );
}

const record = (view: FeedView, time: number, item: object) => ({
  datetime: at(time),
  item: { type: 'observation', ...item },
  updatedTimestamp: at(view.now),
});

function wbgt(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.wbgt_c';
  const time = view.observedTime(900);
  const readings = view.places(feed).map((place) => ({
    station: { id: place.id, name: place.name ?? place.id, townCenter: '' },
    location: textLocation(place),
    wbgt: String(view.value(feed, place, time)),
    heatStress: 'Low',
  }));
  return v2({ records: view.rows([record(view, time, { isStationData: true, readings })]) }, 'wbgt');
}

/** As many strikes at each place as its value says. */
function lightning(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.lightning_strikes';
  const time = view.observedTime(120);
  const strikes = view
    .places(feed)
    .flatMap((place) => around(place, view.value(feed, place, time)))
    .map((position) => ({
      location: textLocation(position),
      datetime: at(time),
      text: 'Cloud to Cloud',
      type: 'C',
    }));
  return v2(
    { records: view.rows([record(view, time, { isStationData: false, readings: strikes })]) },
    'readings',
    null,
  );
}

/** As many taxis around each place as its value says. Places that are close to each other share them. */
function taxis(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.free_taxis';
  const time = view.observedTime(30);
  const coordinates = view
    .places(feed)
    .flatMap((place) => around(place, view.value(feed, place, time)))
    .map(({ lat, lng }) => [lng, lat]);
  const feature = {
    type: 'Feature',
    geometry: { type: 'MultiPoint', coordinates },
    properties: {
      timestamp: at(time),
      taxi_count: coordinates.length,
      api_info: { status: 'healthy' },
    },
  };
  const crs = {
    type: 'link',
    properties: { href: 'http://spatialreference.org/ref/epsg/4326/ogcwkt/', type: 'ogcwkt' },
  };
  return json({ type: 'FeatureCollection', crs, features: view.repeatRows([feature]) }, 'coordinates');
}

function carParks(view: FeedView): FeedAnswer {
  const feed = 'data-gov-sg.free_lots';
  const time = view.observedTime(60);
  const carpark_data = view.places(feed).map((place) => ({
    carpark_info: [
      {
        total_lots: String(view.value('data-gov-sg.total_lots', place, time)),
        lot_type: 'C',
        lots_available: String(view.value(feed, place, time)),
      },
    ],
    carpark_number: place.id,
    update_datetime: localTime(time, ZONE).replace(' ', 'T'),
  }));
  return json(
    {
      api_info: { status: 'healthy' },
      items: [{ timestamp: at(view.now), carpark_data: view.repeatRows(carpark_data) }],
    },
    'lots_available',
  );
}
