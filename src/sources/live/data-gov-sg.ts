// data.gov.sg: weather, air, taxis and car parks of Singapore. v2 of its API, and v1 for the two that v2 lacks.
import Type, { type Static } from 'typebox';
import type { Position } from '../../domain/city/distance.ts';
import { type Adapter, type FeedRequest, FeedShapeError, type Poll } from '../core/adapter.ts';
import { parseJson } from '../core/rows/decode.ts';
import { parseAmount, parseNumber } from '../core/rows/number.ts';
import { parsePlaceId } from '../core/rows/place-id.ts';
import { isoTime } from '../core/rows/time.ts';
import { convert } from '../core/rows/units.ts';
import { type Collector, collector, newestRows } from './parse/collector.ts';
import { asObject, asText, excerpt, type JsonObject, requireList, requireObject } from './parse/json.ts';
import { countNear } from './parse/points.ts';
import { rainOfForecast } from './parse/rain-forecast.ts';
import {
  closedObject,
  distanceM,
  httpAddress,
  lotType,
  partFor,
  requestedDataset,
  SINGAPORE_SECONDS,
  someOf,
  withoutSlash,
} from './parse/settings.ts';

const datasetNames = [
  'rainfall',
  'air-temperature',
  'relative-humidity',
  'pm25',
  'two-hr-forecast',
  'wbgt',
  'lightning',
  'taxi-availability',
  'carpark-availability',
] as const;
type DatasetName = (typeof datasetNames)[number];

const settings = closedObject({
  datasets: someOf(datasetNames, 'what is asked for'),
  reach_m: Type.Optional(
    distanceM('free taxis are counted within this distance of a pocket, in metres; default: 800'),
  ),
  lightning_reach_m: Type.Optional(
    distanceM('lightning is counted within this distance of a pocket, in metres; default: 8000'),
  ),
  lot_type: Type.Optional(lotType),
  v1_url: Type.Optional(httpAddress('an address in place of https://api.data.gov.sg/v1')),
  v2_url: Type.Optional(httpAddress('an address in place of https://api-open.data.gov.sg/v2/real-time/api')),
});
type Settings = Static<typeof settings>;

/** What a reader of one dataset needs beside the body. */
interface Context {
  out: Collector;
  settings: Settings;
  poll: Poll;
}

interface Dataset {
  api: 'v1' | 'v2';
  path: string;
  read(data: JsonObject, context: Context): void;
}

const REACH_M = 800;
const LIGHTNING_REACH_M = 8_000;
/** Latest values fit on one page; a token that never ends is not followed further. */
const MAX_PAGES = 20;

const datasets: Record<DatasetName, Dataset> = {
  rainfall: { api: 'v2', path: 'rainfall', read: stations('rain_mm_5min', 'mm', parseAmount) },
  'air-temperature': {
    api: 'v2',
    path: 'air-temperature',
    read: stations('temperature_c', 'C', parseNumber),
  },
  'relative-humidity': {
    api: 'v2',
    path: 'relative-humidity',
    read: stations('humidity_pct', 'percent', parseAmount),
  },
  pm25: { api: 'v2', path: 'pm25', read: readPm25 },
  'two-hr-forecast': { api: 'v2', path: 'two-hr-forecast', read: readForecast },
  wbgt: { api: 'v2', path: 'weather?api=wbgt', read: readWbgt },
  lightning: { api: 'v2', path: 'weather?api=lightning', read: readLightning },
  'taxi-availability': { api: 'v1', path: 'transport/taxi-availability', read: readTaxis },
  'carpark-availability': { api: 'v1', path: 'transport/carpark-availability', read: readCarParks },
};

export const dataGovSg: Adapter<Settings> = {
  name: 'data-gov-sg',
  about: {
    publisher: 'data.gov.sg',
    limit: { requests: 6, seconds: 10 },
    // Taxis; rain every 5 minutes, the forecast every 30, PM2.5 every hour.
    changes_every_seconds: 30,
    licence: 'Singapore Open Data Licence 1.0',
    attribution:
      'Contains information from data.gov.sg accessed on {date}, made available under the terms of the Singapore Open Data Licence version 1.0.',
    key: {
      env: 'FEED_KEY_DATA_GOV_SG',
      header: 'x-api-key',
      required: false,
      hosts: ['api.data.gov.sg', 'api-open.data.gov.sg'],
    },
    fields: {
      rain_mm_5min: 'rain of five minutes, mm',
      temperature_c: 'air temperature, °C',
      humidity_pct: 'relative humidity, %',
      pm25_ug_m3: 'PM2.5 of an hour, µg/m³',
      wbgt_c: 'wet bulb globe temperature, °C',
      lightning_strikes: 'lightning strikes around the pocket in the latest record',
      forecast_rain: 'rain forecast for two hours, 0 (dry) to 1 (heavy storm)',
      free_taxis: 'free taxis around the pocket',
      free_lots: 'free car-park places',
      total_lots: 'total car-park places',
      occupancy_share: 'share of car-park places that are taken, 0..1',
    },
  },
  settings,
  requests: (feed) =>
    feed.settings.datasets.map((name) => ({ url: datasetAddress(name, feed.settings), part: name })),
  parse(body, feed, request, poll) {
    const [name, page] = requestedDataset(request, datasetNames, 1);
    const { api, read } = datasets[name];
    const answer = requireObject(parseJson(body), 'the answer');
    const data = api === 'v2' ? requireData(answer) : answer;
    const out = collector(feed.id, poll.points);
    read(data, { out, settings: feed.settings, poll });
    const token = asText(data.paginationToken);
    return out.result(token && page < MAX_PAGES ? [nextPage(name, feed.settings, token, page + 1)] : []);
  },
};

function datasetAddress(name: DatasetName, { v1_url, v2_url }: Settings): string {
  const { api, path } = datasets[name];
  const base =
    api === 'v1'
      ? (v1_url ?? 'https://api.data.gov.sg/v1')
      : (v2_url ?? 'https://api-open.data.gov.sg/v2/real-time/api');
  return `${withoutSlash(base)}/${path}`;
}

function nextPage(name: DatasetName, settings: Settings, token: string, page: number): FeedRequest {
  const address = datasetAddress(name, settings);
  const url = `${address}${address.includes('?') ? '&' : '?'}paginationToken=${encodeURIComponent(token)}`;
  return { url, part: partFor(name, page) };
}

/** Errors come with HTTP 200 too. */
function requireData(answer: JsonObject): JsonObject {
  if (answer.code !== undefined && answer.code !== 0)
    throw new FeedShapeError(`the publisher answered with an error: ${excerpt(answer.errorMsg)}`);
  return requireObject(answer.data, 'data');
}

/** v2 gives `location` where its published schema says `labelLocation`; the forecast writes snake case. */
function readPosition(place: JsonObject | undefined, out: Collector): Position | null {
  const { latitude, longitude } =
    asObject(place?.location) ?? asObject(place?.labelLocation) ?? asObject(place?.label_location) ?? {};
  return out.position(latitude, longitude);
}

/** The positions of places by their id; one that is listed twice keeps its first. */
function readPlaces(list: unknown, name: string, key: 'id' | 'name', out: Collector) {
  const places = new Map<string, Position | null>();
  for (const row of requireList(list, name)) {
    const place = asObject(row);
    const id = parsePlaceId(place?.[key]);
    if (id !== undefined && !places.has(id)) places.set(id, readPosition(place, out));
  }
  return (id: string | undefined): Position | null => (id === undefined ? null : (places.get(id) ?? null));
}

function stations(field: string, unit: string, read: typeof parseAmount): Dataset['read'] {
  return (data, { out }) => {
    const given = asText(data.readingUnit);
    if (given !== undefined && convert(1, given, unit) !== 1)
      throw new FeedShapeError(`expected readingUnit ${unit} for ${field}`);
    const positionOf = readPlaces(data.stations, 'data.stations', 'id', out);
    for (const item of requireList(data.readings, 'data.readings')) {
      const reading = requireObject(item, 'data.readings[]');
      const time = isoTime(reading.timestamp);
      for (const row of requireList(reading.data, 'data.readings[].data')) {
        const value = asObject(row);
        const id = parsePlaceId(value?.stationId);
        out.add(id, positionOf(id), time, { [field]: read(value?.value) });
      }
    }
  };
}

function readPm25(data: JsonObject, { out }: Context): void {
  const positionOf = readPlaces(data.regionMetadata, 'data.regionMetadata', 'name', out);
  for (const item of requireList(data.items, 'data.items')) {
    const { timestamp, readings } = requireObject(item, 'data.items[]');
    const regions = requireObject(
      asObject(readings)?.pm25_one_hourly,
      'data.items[].readings.pm25_one_hourly',
    );
    for (const [region, value] of Object.entries(regions)) {
      const id = parsePlaceId(region);
      out.add(id, positionOf(id), isoTime(timestamp), { pm25_ug_m3: parseAmount(value) });
    }
  }
}

function readForecast(data: JsonObject, { out }: Context): void {
  const positionOf = readPlaces(data.area_metadata ?? data.areaMetadata, 'data.area_metadata', 'name', out);
  for (const item of requireList(data.items, 'data.items')) {
    const { timestamp, forecasts } = requireObject(item, 'data.items[]');
    for (const row of requireList(forecasts, 'data.items[].forecasts')) {
      const { area, forecast } = asObject(row) ?? {};
      const id = parsePlaceId(area);
      const rain = rainOfForecast(asText(forecast) ?? '') ?? 'no_data';
      out.add(id, positionOf(id), isoTime(timestamp), { forecast_rain: rain });
    }
  }
}

/** WBGT and lightning: records of readings, each reading with a position of its own. */
function readRecords(data: JsonObject) {
  return requireList(data.records, 'data.records').map((row) => {
    const { datetime, item } = requireObject(row, 'data.records[]');
    const readings = requireList(asObject(item)?.readings, 'data.records[].item.readings');
    return { time: isoTime(datetime), readings: readings.map((reading) => asObject(reading) ?? {}) };
  });
}

function readWbgt(data: JsonObject, { out }: Context): void {
  for (const { time, readings } of readRecords(data))
    for (const reading of readings) {
      const id = parsePlaceId(asObject(reading.station)?.id);
      if (id === undefined) out.fault('bad_value');
      else out.add(id, readPosition(reading, out), time, { wbgt_c: parseNumber(reading.wbgt) });
    }
}

/** A record without strikes is a true zero: the publisher sends one every few minutes. */
function readLightning(data: JsonObject, { out, settings, poll }: Context): void {
  const reach = settings.lightning_reach_m ?? LIGHTNING_REACH_M;
  for (const { time, readings } of readRecords(data)) {
    const strikes = readings.map((reading) => readPosition(reading, out));
    countNear(strikes, poll.points, reach, (point, count) =>
      out.add(point.pocket_id, point, time, { lightning_strikes: count }),
    );
  }
}

function readTaxis(answer: JsonObject, { out, settings, poll }: Context): void {
  for (const row of requireList(answer.features, 'features')) {
    const feature = requireObject(row, 'features[]');
    const coordinates = requireList(
      asObject(feature.geometry)?.coordinates,
      'features[].geometry.coordinates',
    );
    const taxis = coordinates.map((pair) => {
      const [lng, lat] = Array.isArray(pair) ? pair : [];
      return out.position(lat, lng);
    });
    // No free taxi in the whole country is an outage of the feed.
    if (!taxis.some((taxi) => taxi !== null)) out.fault('no_data');
    else
      countNear(taxis, poll.points, settings.reach_m ?? REACH_M, (point, count) =>
        out.add(point.pocket_id, point, isoTime(asObject(feature.properties)?.timestamp), {
          free_taxis: count,
        }),
      );
  }
}

/** Car parks have no position here: `sources.json` places them. Some are listed once for each type of lot. */
function readCarParks(answer: JsonObject, { out, settings: { lot_type = 'C' } }: Context): void {
  const newest = newestRows<JsonObject>(out);
  for (const item of requireList(answer.items, 'items'))
    for (const row of requireList(asObject(item)?.carpark_data, 'items[].carpark_data')) {
      const { carpark_number, update_datetime, carpark_info } = requireObject(row, 'items[].carpark_data[]');
      const lots = requireList(carpark_info, 'items[].carpark_data[].carpark_info')
        .map((info) => asObject(info) ?? {})
        .find((info) => info.lot_type === lot_type);
      if (lots) newest.add(parsePlaceId(carpark_number), isoTime(update_datetime, SINGAPORE_SECONDS), lots);
    }
  for (const [id, { time, row: lots }] of newest.rows) {
    const free = parseAmount(lots.lots_available);
    const total = parseAmount(lots.total_lots);
    if (typeof free === 'string' || typeof total === 'string')
      out.fault(typeof free === 'string' ? free : 'no_data');
    else if (total === 0) out.fault('no_data');
    else if (free > total) out.fault('bad_value');
    else out.add(id, null, time, { free_lots: free, total_lots: total, occupancy_share: 1 - free / total });
  }
}
