// Open-Meteo: one object for one place, a list in the order asked for several.

import { type FeedAnswer, type FeedView, json, type Place, type Publisher } from '../view.ts';
import { localTime } from './local-time.ts';

interface Variable {
  field: string;
  unit: string;
}

const variables: Readonly<Record<string, Variable>> = {
  temperature_2m: { field: 'temperature_c', unit: '°C' },
  relative_humidity_2m: { field: 'humidity_pct', unit: '%' },
  precipitation: { field: 'rain_mm_15min', unit: 'mm' },
  wind_speed_10m: { field: 'wind_kmh', unit: 'km/h' },
  weather_code: { field: 'weather_code', unit: 'wmo code' },
  pm2_5: { field: 'pm25_ug_m3', unit: 'μg/m³' },
  pm10: { field: 'pm10_ug_m3', unit: 'μg/m³' },
};

/** Values are those of a known place this near in degrees; other points have one named by its coordinates. */
const NEAR = 0.002;

export const openMeteo: Publisher = ({ path, query }, view) => {
  if (path !== 'v1/forecast' && path !== 'v1/air-quality') return null;
  const numbers = (name: string) => query.get(name)?.split(',').map(Number) ?? [];
  const latitudes = numbers('latitude');
  const longitudes = numbers('longitude');
  const names = query.get('current')?.split(',') ?? [];
  const unknown = names.find((name) => !Object.hasOwn(variables, name));
  if (unknown !== undefined)
    return failure(`Cannot initialize variable from invalid String value ${unknown}`);
  if (latitudes.length === 0 || latitudes.length !== longitudes.length)
    return failure("Parameter 'latitude' and 'longitude' must have the same number of elements");
  const interval = path === 'v1/forecast' ? 900 : 3600;
  const isEpoch = query.get('timeformat') === 'unixtime';
  const answers = latitudes.map((lat, i) => {
    const place = placeAt(view, lat, longitudes[i] ?? 0);
    return placeAnswer(view, place, names, interval, isEpoch, i);
  });
  const rows = view.rows(answers);
  return json(rows.length === 1 ? rows[0] : rows, 'current');
};

/** How many requests the publisher counts. */
export const openMeteoCost = (query: URLSearchParams): number =>
  query.get('latitude')?.split(',').length ?? 1;

const failure = (reason: string): FeedAnswer => json({ error: true, reason }, 'reason', 400);

function placeAt(view: FeedView, lat: number, lng: number): Place {
  const known = view
    .places('open-meteo')
    .find((place) => Math.abs(place.lat - lat) < NEAR && Math.abs(place.lng - lng) < NEAR);
  return known ?? { id: `${lat},${lng}`, lat, lng };
}

function placeAnswer(
  view: FeedView,
  place: Place,
  names: readonly string[],
  interval: number,
  isEpoch: boolean,
  index: number,
): object {
  const time = view.observedTime(interval);
  const known = names.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : []));
  return {
    // The middle of the grid cell, not the point that was asked for.
    latitude: Number((place.lat + 0.01).toFixed(4)),
    longitude: Number((place.lng + 0.01).toFixed(4)),
    generationtime_ms: 0.1,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    elevation: 15,
    ...(index > 0 && { location_id: index }),
    current_units: {
      time: isEpoch ? 'unixtime' : 'iso8601',
      interval: 'seconds',
      ...Object.fromEntries(known.map(([name, { unit }]) => [name, unit])),
    },
    current: {
      time: isEpoch ? time / 1000 : localTime(time, 'UTC').slice(0, 16).replace(' ', 'T'),
      interval,
      ...Object.fromEntries(
        known.map(([name, { field }]) => [name, view.value(`open-meteo.${field}`, place, time)]),
      ),
    },
  };
}
