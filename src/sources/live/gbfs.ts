// GBFS 1.x, 2.x and 3.x: bikes and scooters for hire, at stations and free-floating. One poll asks for gbfs.json, then
// station_information, then station_status: what the later files need of the earlier ones travels in `part`.
import Type, { type Static } from 'typebox';
import type { Position } from '../../domain/city/distance.ts';
import { type Adapter, type FeedRequest, FeedShapeError, type ParsedFeed } from '../core/adapter.ts';
import { parseJson } from '../core/rows/decode.ts';
import { parseAmount } from '../core/rows/number.ts';
import { parsePlaceId } from '../core/rows/place-id.ts';
import { epochTime, isoTime } from '../core/rows/time.ts';
import { type Collector, collector, newestRows } from './parse/collector.ts';
import { asFlag, asObject, asText, type JsonObject, requireList, requireObject } from './parse/json.ts';
import { countNear } from './parse/points.ts';
import { closedObject, distanceM, httpAddress, someOf } from './parse/settings.ts';

const settings = closedObject({
  url: httpAddress('address of gbfs.json'),
  datasets: Type.Optional(
    someOf(['stations', 'vehicles'], 'what is read; default: whatever the feed has of both'),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: 20,
      description: "which language's files of 1.x and 2.x; default: the first. The values are the same",
    }),
  ),
  reach_m: Type.Optional(
    distanceM('free-floating vehicles are counted within this distance of a pocket, in metres; default: 500'),
  ),
  hosts: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      maxItems: 5,
      description: 'other hosts that gbfs.json may send us to',
    }),
  ),
});
type Settings = Static<typeof settings>;

/** Of station_information; the capacity is null where it is not stated. */
type Station = readonly [id: string, lat: number, lng: number, capacity: number | null];

/** The file that a request asks for, and what its reader needs to know. */
type Part =
  | { file: 'gbfs' }
  | { file: 'station_information'; status_url: string }
  | { file: 'station_status'; stations: readonly Station[] }
  | { file: 'vehicles' };

const REACH_M = 500;

export const gbfs: Adapter<Settings> = {
  name: 'gbfs',
  about: {
    publisher: 'operator of the hire system',
    limit: null,
    changes_every_seconds: 60,
    licence: 'stated by each operator in system_information',
    attribution: '',
    key: null,
    fields: {
      bikes_available: 'bikes for hire at a station',
      docks_available: 'free docks at a station',
      docks_taken_share: 'share of docks that hold a bike, 0..1',
      capacity: 'total docks of a station, for the `capacity` of another field',
      vehicles_nearby: 'free-floating vehicles for hire around the pocket',
    },
  },
  settings,
  requests: ({ settings: { url } }) => [request(url, { file: 'gbfs' })],
  parse(body, feed, { part }, { points }) {
    const answer = requireObject(parseJson(body), 'the answer');
    const data = requireObject(answer.data, 'data');
    const known = readPart(part);
    const out = collector(feed.id, points);
    switch (known.file) {
      case 'gbfs':
        return out.result(listFiles(data, feed.settings));
      case 'station_information': {
        const stations = readStations(data, out);
        return out.result([request(known.status_url, { file: 'station_status', stations })]);
      }
      case 'station_status':
        readStatus(data, readTimestamp(answer.last_updated), known.stations, out);
        return withTtl(answer, out);
      case 'vehicles':
        readVehicles(data, out, (vehicles) =>
          countNear(vehicles, points, feed.settings.reach_m ?? REACH_M, (point, count) =>
            out.add(point.pocket_id, point, readTimestamp(answer.last_updated), { vehicles_nearby: count }),
          ),
        );
        return withTtl(answer, out);
    }
  },
};

/** Files that are only the way to others are asked for unconditionally. */
function request(url: string, part: Part): FeedRequest {
  const leads = part.file === 'gbfs' || part.file === 'station_information';
  return { url, part: JSON.stringify(part), ...(leads ? { unconditional: true } : {}) };
}

function readPart(part: string | undefined): Part {
  if (part === undefined) throw new FeedShapeError('the request names no file');
  return JSON.parse(part) as Part;
}

/** The publisher's ttl, of files with values only: that of station_information is a day. */
function withTtl({ ttl }: JsonObject, out: Collector): ParsedFeed {
  const seconds = parseAmount(ttl);
  return typeof seconds === 'number' ? { ...out.result(), ttl_seconds: seconds } : out.result();
}

/** Epoch seconds up to 2.x, RFC 3339 from 3.0. */
function readTimestamp(value: unknown): number | 'bad_time' {
  return typeof value === 'string' && value.includes('-') ? isoTime(value) : epochTime(value);
}

function listFiles(data: JsonObject, { url, datasets, language, hosts = [] }: Settings): FeedRequest[] {
  const files = new Map<string, string>();
  for (const row of listedFeeds(data, language)) {
    const feed = asObject(row);
    const name = asText(feed?.name);
    const address = allowedAddress(asText(feed?.url), url, hosts);
    if (name !== undefined && address !== undefined && !files.has(name)) files.set(name, address);
  }
  const wants = (name: 'stations' | 'vehicles') => datasets?.includes(name) ?? true;
  const information = files.get('station_information');
  const status = files.get('station_status');
  const vehicles = files.get('vehicle_status') ?? files.get('free_bike_status');
  const next: FeedRequest[] = [];
  if (wants('stations') && status !== undefined)
    next.push(
      information === undefined
        ? request(status, { file: 'station_status', stations: [] })
        : request(information, { file: 'station_information', status_url: status }),
    );
  if (wants('vehicles') && vehicles !== undefined) next.push(request(vehicles, { file: 'vehicles' }));
  if (next.length === 0)
    throw new FeedShapeError('gbfs.json lists no file of stations or vehicles at a host that may be asked');
  return next;
}

/** 3.x has one list, earlier versions one for each language. */
function listedFeeds(data: JsonObject, language: string | undefined): unknown[] {
  if (data.feeds !== undefined) return requireList(data.feeds, 'data.feeds');
  const languages = Object.entries(data);
  const [, chosen] = languages.find(([name]) => name === language) ?? languages[0] ?? [];
  return requireList(asObject(chosen)?.feeds, 'data.<language>.feeds');
}

/**
 * The publisher chooses these addresses, so they stay on the host of gbfs.json or on those that the city's file
 * names: a key in a header must not be led elsewhere.
 */
function allowedAddress(
  text: string | undefined,
  from: string,
  hosts: readonly string[],
): string | undefined {
  const address = text === undefined ? null : URL.parse(text, from);
  const origin = URL.parse(from);
  if (!address || !origin || !['http:', 'https:'].includes(address.protocol)) return undefined;
  if (origin.protocol === 'https:' && address.protocol !== 'https:') return undefined;
  if (address.username !== '' || address.password !== '') return undefined;
  return address.host === origin.host || hosts.includes(address.host) ? address.href : undefined;
}

function readStations(data: JsonObject, out: Collector): Station[] {
  const stations = new Map<string, Station>();
  for (const row of requireList(data.stations, 'data.stations')) {
    const station = asObject(row);
    const id = parsePlaceId(station?.station_id);
    const position = out.position(station?.lat, station?.lon);
    if (id === undefined) out.fault('bad_value');
    else if (position && !stations.has(id)) {
      const capacity = parseAmount(station?.capacity);
      stations.set(id, [id, position.lat, position.lng, typeof capacity === 'number' ? capacity : null]);
    }
  }
  return [...stations.values()];
}

function readStatus(
  data: JsonObject,
  updated: number | 'bad_time',
  stations: readonly Station[],
  out: Collector,
): void {
  const places = new Map<string, Position>(stations.map(([id, lat, lng]) => [id, { lat, lng }]));
  const capacities = new Map(stations.map(([id, , , capacity]) => [id, capacity]));
  const newest = newestRows<JsonObject>(out);
  for (const row of requireList(data.stations, 'data.stations')) {
    const station = asObject(row) ?? {};
    // 0 stands for a station that never reported.
    const time = station.last_reported === undefined ? updated : readTimestamp(station.last_reported);
    newest.add(parsePlaceId(station.station_id), time, station);
  }
  for (const [id, { time, row: station }] of newest.rows) {
    const position = places.get(id) ?? null;
    if (!position) out.fault('bad_position');
    // A closed station reports no bikes: closed, not empty.
    if (asFlag(station.is_installed) === false || asFlag(station.is_renting) === false)
      out.add(id, position, time, closedStation);
    else out.add(id, position, time, stationValues(station));
    out.add(id, position, time, { capacity: capacities.get(id) ?? undefined });
  }
}

const closedStation = {
  bikes_available: 'closed',
  docks_available: 'closed',
  docks_taken_share: 'closed',
} as const;

/** Stations without docks (virtual ones) give no number of docks, and then no share. */
function stationValues(station: JsonObject): Parameters<Collector['add']>[3] {
  const bikes = parseAmount(station.num_bikes_available ?? station.num_vehicles_available);
  const disabled = parseAmount(station.num_bikes_disabled ?? station.num_vehicles_disabled);
  const returning = asFlag(station.is_returning) !== false && station.num_docks_available !== undefined;
  const docks = returning ? parseAmount(station.num_docks_available) : undefined;
  if (typeof bikes !== 'number' || typeof docks !== 'number')
    return { bikes_available: bikes, docks_available: docks };
  // A disabled bike takes a dock too. Capacity is not used: it often differs from the sum.
  const taken = bikes + (typeof disabled === 'number' ? disabled : 0);
  const share = taken + docks > 0 ? taken / (taken + docks) : undefined;
  return { bikes_available: bikes, docks_available: docks, docks_taken_share: share };
}

/** Vehicles that can be hired where they stand. Those at a station are counted there. */
function readVehicles(
  data: JsonObject,
  out: Collector,
  report: (vehicles: (Position | null)[]) => void,
): void {
  const rows = requireList(data.vehicles ?? data.bikes, 'data.vehicles');
  const seen = new Set<string>();
  const free: (Position | null)[] = [];
  for (const row of rows) {
    const vehicle = asObject(row) ?? {};
    const id = parsePlaceId(vehicle.vehicle_id ?? vehicle.bike_id);
    if (id === undefined || seen.has(id)) {
      out.fault(id === undefined ? 'bad_value' : 'duplicate');
      continue;
    }
    seen.add(id);
    const taken = asFlag(vehicle.is_disabled) === true || asFlag(vehicle.is_reserved) === true;
    const docked = parsePlaceId(vehicle.station_id) !== undefined;
    if (!taken && !docked) free.push(out.position(vehicle.lat, vehicle.lon));
  }
  // An empty file says that the system has none of them, or that it is out of order: not that the street is empty.
  if (free.some((position) => position !== null)) report(free);
  else out.fault('no_data');
}
