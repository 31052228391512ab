// Open-Meteo: weather and air of any place on earth, many places in one request. The values are those of a weather
// model for the present quarter hour (air: hour), not observations of a station.
import Type, { type Static } from 'typebox';
import { metresBetween } from '../../domain/city/distance.ts';
import { type Adapter, type FeedRequest, FeedShapeError, type Poll } from '../core/adapter.ts';
import type { RowFault } from '../core/measurement.ts';
import { parseJson } from '../core/rows/decode.ts';
import { parseAmount, parseNumber } from '../core/rows/number.ts';
import { readPosition } from '../core/rows/position.ts';
import { epochTime, isoTime } from '../core/rows/time.ts';
import { convert } from '../core/rows/units.ts';
import { collector, type ReadValue } from './parse/collector.ts';
import { asObject, asText, excerpt, type JsonObject, requireObject } from './parse/json.ts';
import {
  closedObject,
  httpAddress,
  partFor,
  requestedDataset,
  someOf,
  withoutSlash,
} from './parse/settings.ts';

const datasetNames = ['weather', 'air'] as const;
type DatasetName = (typeof datasetNames)[number];

const settings = closedObject({
  datasets: someOf(datasetNames, 'what is asked for'),
  weather_url: Type.Optional(httpAddress('a server in place of api.open-meteo.com')),
  air_url: Type.Optional(httpAddress('a server in place of air-quality-api.open-meteo.com')),
});
type Settings = Static<typeof settings>;

interface Variable {
  field: string;
  read: typeof parseAmount;
  /** The unit of the field; values in another one are converted. */
  unit: string;
  /** Only where the value is the sum of that many seconds. */
  interval?: number;
}

const variables: Record<DatasetName, Record<string, Variable>> = {
  weather: {
    temperature_2m: { field: 'temperature_c', read: parseNumber, unit: 'C' },
    relative_humidity_2m: { field: 'humidity_pct', read: parseAmount, unit: 'percent' },
    precipitation: { field: 'rain_mm_15min', read: parseAmount, unit: 'mm', interval: 900 },
    wind_speed_10m: { field: 'wind_kmh', read: parseAmount, unit: 'km/h' },
    weather_code: { field: 'weather_code', read: parseAmount, unit: 'wmo code' },
  },
  air: {
    pm2_5: { field: 'pm25_ug_m3', read: parseAmount, unit: 'ug/m3' },
    pm10: { field: 'pm10_ug_m3', read: parseAmount, unit: 'ug/m3' },
  },
};

/** Keeps addresses below the 8,000 characters that servers take. */
const PLACES_A_REQUEST = 100;
/** Cells of the coarsest model are some 45 km wide; an answer from further away is about another place. */
const CELL_REACH_M = 60_000;

export const openMeteo: Adapter<Settings> = {
  name: 'open-meteo',
  about: {
    publisher: 'Open-Meteo',
    // 600 a minute, 5,000 an hour and 10,000 a day without a key: the last, spread over the day, keeps all three.
    limit: { requests: 400, seconds: 3600 },
    changes_every_seconds: 900,
    licence: 'CC BY 4.0',
    attribution: 'Weather data by Open-Meteo.com',
    key: null,
    fields: {
      temperature_c: 'air temperature, °C',
      humidity_pct: 'relative humidity, %',
      rain_mm_15min: 'rain of a quarter hour, mm',
      wind_kmh: 'wind speed, km/h',
      weather_code: 'WMO weather code',
      pm25_ug_m3: 'PM2.5 of an hour, µg/m³',
      pm10_ug_m3: 'PM10 of an hour, µg/m³',
    },
  },
  settings,
  requests: ({ settings: set }, { points }) =>
    set.datasets.flatMap((name) => {
      const starts = Array.from({ length: Math.ceil(points.length / PLACES_A_REQUEST) }, (_, n) => n);
      return starts.map((n) => requestFor(name, set, points, n * PLACES_A_REQUEST));
    }),
  parse(body, { id }, request, { points }) {
    const [name, start] = requestedDataset(request, datasetNames);
    const asked = points.slice(start, start + PLACES_A_REQUEST);
    const answers = readAnswers(parseJson(body), asked.length);
    const units = asObject(answers[0]?.current_units) ?? {};
    const out = collector(id, []);
    for (const [i, point] of asked.entries()) {
      const answer = answers[i] ?? {};
      const cell = readPosition(answer.latitude, answer.longitude, []).position;
      if (!cell || metresBetween(cell, point) > CELL_REACH_M) out.fault('bad_position');
      // The value is asked for and given for the point, though it is that of a grid cell.
      else out.add(point.pocket_id, point, ...readCurrent(answer, units, variables[name]));
    }
    return out.result();
  },
};

function requestFor(name: DatasetName, set: Settings, points: Poll['points'], start: number): FeedRequest {
  const some = points.slice(start, start + PLACES_A_REQUEST);
  const base =
    name === 'weather'
      ? (set.weather_url ?? 'https://api.open-meteo.com')
      : (set.air_url ?? 'https://air-quality-api.open-meteo.com');
  const query = [
    `latitude=${some.map(({ lat }) => lat.toFixed(4)).join(',')}`,
    `longitude=${some.map(({ lng }) => lng.toFixed(4)).join(',')}`,
    `current=${Object.keys(variables[name]).join(',')}`,
    'timeformat=unixtime',
  ];
  const path = name === 'weather' ? 'v1/forecast' : 'v1/air-quality';
  const url = `${withoutSlash(base)}/${path}?${query.join('&')}`;
  // Each place counts as a request against the limit.
  return { url, part: partFor(name, start), cost: some.length };
}

/** One place is answered by an object, several by a list in the order asked: a gap would shift values to neighbours. */
function readAnswers(json: unknown, expected: number): JsonObject[] {
  const failure = asObject(json);
  if (failure?.error === true)
    throw new FeedShapeError(`the publisher answered with an error: ${excerpt(failure.reason)}`);
  const list = Array.isArray(json) ? json : [json];
  if (list.length !== expected) throw new FeedShapeError(`expected ${expected} places`);
  return list.map((row, i) => {
    const answer = requireObject(row, 'a place of the answer');
    requireObject(answer.current, 'current');
    const { location_id } = answer;
    if (location_id !== undefined && location_id !== i) throw new FeedShapeError('places are out of order');
    return answer;
  });
}

/** Units of the first place hold for those that repeat none; all places of a request share them. */
function readCurrent(
  answer: JsonObject,
  firstUnits: JsonObject,
  wanted: Record<string, Variable>,
): [observed_at: number | RowFault, values: Record<string, ReadValue>] {
  const current = asObject(answer.current) ?? {};
  const units = { ...firstUnits, ...asObject(answer.current_units) };
  const values: Record<string, ReadValue> = {};
  for (const [name, { field, read, unit, interval }] of Object.entries(wanted)) {
    const value = read(current[name]);
    if (typeof value === 'string') values[field] = value;
    else if (interval !== undefined && current.interval !== interval) values[field] = 'bad_value';
    else values[field] = convert(value, asText(units[name]) ?? '', unit) ?? 'bad_value';
  }
  return [readTime(current.time, asText(units.time), answer.utc_offset_seconds), values];
}

/** Asked for as epoch seconds; a server that answers in ISO writes local times, and the offset beside them. */
function readTime(time: unknown, unit: string | undefined, offset: unknown): number | RowFault {
  if (unit === 'unixtime') return epochTime(time);
  const seconds = parseNumber(offset);
  return typeof seconds === 'string' ? 'bad_time' : isoTime(time, seconds);
}
