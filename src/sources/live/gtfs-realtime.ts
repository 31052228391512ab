// GTFS-realtime vehicle positions: how full, how many and how fast the buses and trams near each pocket are.
import Type, { type Static } from 'typebox';
import type { Position } from '../../domain/city/distance.ts';
import { type Adapter, FeedShapeError, type Poll } from '../core/adapter.ts';
import { epochTime } from '../core/rows/time.ts';
import { type Collector, collector } from './parse/collector.ts';
import { readVehicleFeed, type VehicleFeed, type VehiclePosition } from './parse/gtfs-message.ts';
import { pointsWithin } from './parse/points.ts';
import { closedObject, distanceM, httpAddress } from './parse/settings.ts';

const settings = closedObject({
  url: httpAddress('address of the vehicle positions'),
  reach_m: Type.Optional(
    distanceM('vehicles are counted within this distance of a pocket, in metres; default: 400'),
  ),
});
type Settings = Static<typeof settings>;

const REACH_M = 400;
/** A vehicle that is still listed with a position older than this has left, or stopped to report. */
const SILENT_MS = 10 * 60_000;
const FASTEST_METRES_A_SECOND = 100;
/** Real feeds go up to 140; far beyond that it is no percentage. */
const MOST_PERCENT = 300;

/**
 * Classes of `occupancy_status` as a share of what the vehicle takes. 6 (not accepting passengers), 7 (no data) and
 * 8 (not boardable) say nothing of how full it is.
 */
const occupancy = new Map([
  [0, 0],
  [1, 0.25],
  [2, 0.55],
  [3, 0.8],
  [4, 0.95],
  [5, 1],
]);

export const gtfsRealtime: Adapter<Settings> = {
  name: 'gtfs-realtime',
  about: {
    publisher: 'operator of public transport',
    limit: null,
    changes_every_seconds: 30,
    licence: 'stated by each operator',
    attribution: '',
    key: null,
    fields: {
      vehicles: 'vehicles in service around the pocket',
      occupancy_share: 'how full the vehicles around the pocket are, 0..1, mean of those that say',
      speed_kmh: 'speed of the vehicles around the pocket, km/h, mean of those that say',
    },
  },
  settings,
  requests: ({ settings: { url } }) => [{ url }],
  parse(body, feed, _request, { points }) {
    const message = readVehicleFeed(body);
    // Vehicles that did not change are absent from such a feed: counts would be too low.
    if (message.differential) throw new FeedShapeError('expected a full data set, got a differential one');
    const out = collector(feed.id, points);
    const vehicles = reportingVehicles(message, out);
    // No vehicle at all is an outage, or the night's break: in neither case a count of zero.
    if (vehicles.length === 0) out.fault('no_data');
    else summarise(vehicles, points, feed.settings.reach_m ?? REACH_M, observedAt(message, vehicles), out);
    return out.result();
  },
};

interface Vehicle extends Position {
  /** Null where the feed has no time for it. */
  time: number | null;
  share?: number;
  speed_kmh?: number;
}

/** Vehicles with a position that reported lately, each once; by the feed's own clock, not ours. */
function reportingVehicles(message: VehicleFeed, out: Collector): Vehicle[] {
  const times = message.vehicles.map(({ timestamp }) => readTimestamp(timestamp));
  const newest = readTimestamp(message.timestamp) ?? times.reduce(latest, null);
  const seen = new Set<string>();
  const found: Vehicle[] = [];
  for (const [i, vehicle] of message.vehicles.entries()) {
    const time = times[i] ?? readTimestamp(message.timestamp);
    const position = out.position(vehicle.lat, vehicle.lng);
    if (!position) continue;
    if (vehicle.id && seen.has(vehicle.id)) out.fault('duplicate');
    else if (time !== null && newest !== null && newest - time > SILENT_MS) out.fault('stale');
    else found.push({ ...position, time, ...readOccupancy(vehicle, out), ...readSpeed(vehicle, out) });
    if (vehicle.id) seen.add(vehicle.id);
  }
  return found;
}

/** 0 is sent where the time is not known. */
function readTimestamp(timestamp: number | undefined): number | null {
  const time = epochTime(timestamp);
  return typeof time === 'number' ? time : null;
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** A full data set states where all vehicles are at the time of its header. */
function observedAt(message: VehicleFeed, vehicles: readonly Vehicle[]): number | null {
  return readTimestamp(message.timestamp) ?? vehicles.map(({ time }) => time).reduce(latest, null);
}

/** The percentage where there is one: it is finer than the class, though it comes in steps and goes over 100. */
function readOccupancy(
  { occupancy_status, occupancy_percentage }: VehiclePosition,
  out: Collector,
): { share?: number } {
  if (occupancy_percentage !== undefined && occupancy_percentage <= MOST_PERCENT)
    return { share: Math.min(occupancy_percentage / 100, 1) };
  if (occupancy_percentage !== undefined) out.fault('bad_value');
  if (occupancy_status === undefined) return {};
  const share = occupancy.get(occupancy_status);
  if (share === undefined) out.fault('no_data');
  return share === undefined ? {} : { share };
}

function readSpeed({ speed }: VehiclePosition, out: Collector): { speed_kmh?: number } {
  if (speed === undefined) return {};
  if (speed >= 0 && speed <= FASTEST_METRES_A_SECOND) return { speed_kmh: speed * 3.6 };
  out.fault('bad_value');
  return {};
}

/** Means over the vehicles that state a value; a pocket where none does gets only their count. */
function summarise(
  vehicles: readonly Vehicle[],
  points: Poll['points'],
  reach_m: number,
  time: number | null,
  out: Collector,
): void {
  const near = pointsWithin(points, reach_m);
  const groups = new Map(points.map((point) => [point, [] as Vehicle[]]));
  for (const vehicle of vehicles) for (const point of near(vehicle)) groups.get(point)?.push(vehicle);
  for (const [point, group] of groups)
    out.add(point.pocket_id, point, time, {
      vehicles: group.length,
      occupancy_share: mean(group.map(({ share }) => share)),
      speed_kmh: mean(group.map(({ speed_kmh }) => speed_kmh)),
    });
}

function mean(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}
