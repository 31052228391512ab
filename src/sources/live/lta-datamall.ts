// LTA DataMall of Singapore: car parks, speed of roads, crowding of train platforms, train disruptions.
import Type, { type Static } from 'typebox';
import type { Position } from '../../domain/city/distance.ts';
import { type Adapter, type FeedRequest, FeedShapeError, type Poll } from '../core/adapter.ts';
import { parseJson } from '../core/rows/decode.ts';
import { isAbsent, parseAmount } from '../core/rows/number.ts';
import { parsePlaceId } from '../core/rows/place-id.ts';
import { isoTime } from '../core/rows/time.ts';
import { type Collector, collector } from './parse/collector.ts';
import { asObject, asText, type JsonObject, requireList, requireObject } from './parse/json.ts';
import { pointsWithin } from './parse/points.ts';
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

const datasetNames = ['car-parks', 'speed-bands', 'platform-crowding', 'train-alerts'] as const;
type DatasetName = (typeof datasetNames)[number];

/** As the API names the lines. */
const trainLines = ['BPL', 'CCL', 'CEL', 'CGL', 'DTL', 'EWL', 'NEL', 'NSL', 'PLRT', 'SLRT', 'TEL'] as const;

const settings = closedObject({
  datasets: someOf(datasetNames, 'what is asked for'),
  train_lines: Type.Optional(
    someOf(trainLines, 'lines whose platforms and disruptions are read; default: all'),
  ),
  lot_type: Type.Optional(lotType),
  // The whole country has tens of thousands of roads.
  reach_m: Type.Optional(
    distanceM('roads further than this from every pocket are passed over, in metres; default: 2000'),
  ),
  max_pages: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 400,
      description: 'pages of 500 rows that one poll reads at most; default: 200',
    }),
  ),
  base_url: Type.Optional(
    httpAddress('an address in place of https://datamall2.mytransport.sg/ltaodataservice'),
  ),
});
type Settings = Static<typeof settings>;

interface Context {
  out: Collector;
  settings: Settings;
  poll: Poll;
}

const paths: Record<DatasetName, string> = {
  'car-parks': 'CarParkAvailabilityv2',
  'speed-bands': 'v4/TrafficSpeedBands',
  'platform-crowding': 'PCDRealTime',
  'train-alerts': 'TrainServiceAlerts',
};
const readers: Record<DatasetName, (answer: JsonObject, context: Context) => void> = {
  'car-parks': readCarParks,
  'speed-bands': readSpeedBands,
  'platform-crowding': readCrowding,
  'train-alerts': readAlerts,
};
const paged: readonly DatasetName[] = ['car-parks', 'speed-bands'];

const PAGE_ROWS = 500;
const MAX_PAGES = 200;
const REACH_M = 2_000;

/** The publisher's three classes of platform crowding (low, moderate, high) as a share of what a platform holds. */
const crowding = new Map([
  ['l', 0.2],
  ['m', 0.5],
  ['h', 0.9],
]);
/** Bands are ten km/h wide; the highest is open ("70" to "999"). */
const BAND_KMH = 10;

export const ltaDatamall: Adapter<Settings> = {
  name: 'lta-datamall',
  about: {
    publisher: 'LTA DataMall',
    limit: null,
    // Car parks; roads every 5 minutes, platforms every 10.
    changes_every_seconds: 60,
    licence: 'Singapore Open Data Licence 1.0',
    attribution:
      'Contains information from LTA DataMall accessed on {date}, made available under the terms of the Singapore Open Data Licence version 1.0.',
    key: {
      env: 'FEED_KEY_LTA',
      header: 'AccountKey',
      required: true,
      hosts: ['datamall2.mytransport.sg'],
    },
    fields: {
      free_lots: 'free car-park places',
      speed_kmh: 'speed on a road, km/h: the middle of its band',
      platform_crowding: 'crowding of a platform: 0.2 low, 0.5 moderate, 0.9 high',
      disruption: 'disruption of a train line, 0 or 1',
    },
  },
  settings,
  requests: ({ settings: set }) =>
    set.datasets.flatMap((name) =>
      name === 'platform-crowding'
        ? (set.train_lines ?? trainLines).map((line) => ({
            url: `${datasetAddress(name, set)}?TrainLine=${line}`,
            part: name,
          }))
        : [page(name, set, 0)],
    ),
  parse(body, { id, settings: set }, request, poll) {
    const [name, skip] = requestedDataset(request, datasetNames);
    const answer = requireObject(parseJson(body), 'the answer');
    const out = collector(id, poll.points);
    readers[name](answer, { out, settings: set, poll });
    const full = paged.includes(name) && Array.isArray(answer.value) && answer.value.length >= PAGE_ROWS;
    const more = full && skip + PAGE_ROWS < (set.max_pages ?? MAX_PAGES) * PAGE_ROWS;
    return out.result(more ? [page(name, set, skip + PAGE_ROWS)] : []);
  },
};

function datasetAddress(name: DatasetName, { base_url }: Settings): string {
  return `${withoutSlash(base_url ?? 'https://datamall2.mytransport.sg/ltaodataservice')}/${paths[name]}`;
}

function page(name: DatasetName, set: Settings, skip: number): FeedRequest {
  const url = datasetAddress(name, set);
  const request = { url: skip === 0 ? url : `${url}?$skip=${skip}`, part: partFor(name, skip) };
  return paged.includes(name) ? { ...request, unconditional: true } : request;
}

function readRows(answer: JsonObject): JsonObject[] {
  return requireList(answer.value, 'value').map((row) => requireObject(row, 'value[]'));
}

/** The feed gives no time and no number of lots in all. A car park has a row for each type of lot. */
function readCarParks(answer: JsonObject, { out, settings: { lot_type = 'C' } }: Context): void {
  for (const row of readRows(answer)) {
    if (row.LotType !== lot_type) continue;
    const id = parsePlaceId(row.CarParkID);
    const [lat, lng] = asText(row.Location)?.split(/[\s,]+/) ?? [];
    if (id === undefined) out.fault('bad_value');
    else out.add(id, out.position(lat, lng), null, { free_lots: parseAmount(row.AvailableLots) });
  }
}

function readSpeedBands(answer: JsonObject, { out, settings: { reach_m = REACH_M }, poll }: Context): void {
  const time =
    answer.lastUpdatedTime === undefined ? null : isoTime(answer.lastUpdatedTime, SINGAPORE_SECONDS);
  const near = pointsWithin(poll.points, reach_m);
  for (const row of readRows(answer)) {
    const id = parsePlaceId(row.LinkID);
    const start = out.position(row.StartLat, row.StartLon);
    const end = out.position(row.EndLat, row.EndLon);
    const middle = start && end ? between(start, end) : (start ?? end);
    if (id === undefined) out.fault('bad_value');
    else if (middle && near(middle).length > 0) out.add(id, middle, time, { speed_kmh: bandSpeed(row) });
  }
}

function between(a: Position, b: Position): Position {
  return { lat: (a.lat + b.lat) / 2, lng: (a.lng + b.lng) / 2 };
}

/** The middle of the band, in km/h; the band's number alone would do, but its limits changed between versions. */
function bandSpeed({ MinimumSpeed, MaximumSpeed }: JsonObject): ReturnType<typeof parseAmount> {
  const least = parseAmount(MinimumSpeed);
  const most = parseAmount(MaximumSpeed);
  if (typeof least === 'string') return least;
  if (typeof most === 'string') return most;
  if (most < least) return 'bad_value';
  return (least + Math.min(most, least + BAND_KMH - 1)) / 2;
}

/** Stations have no position here: `sources.json` places them. A level is that of the ten minutes from its start. */
function readCrowding(answer: JsonObject, { out }: Context): void {
  for (const row of readRows(answer)) {
    const id = parsePlaceId(row.Station);
    const level = asText(row.CrowdLevel)?.toLowerCase();
    const share = level === undefined || isAbsent(level) ? 'no_data' : (crowding.get(level) ?? 'bad_value');
    out.add(id, null, isoTime(row.StartTime), { platform_crowding: share });
  }
}

/**
 * `disruption` of each line, 0 or 1; the place is the line. Status 1 is normal service and 2 a disruption. Where the
 * status and the segments contradict each other (both occur), nothing is said about the lines in question.
 */
function readAlerts(answer: JsonObject, { out, settings: { train_lines = [...trainLines] } }: Context): void {
  const { Status, AffectedSegments } = requireObject(answer.value, 'value');
  const status = parseAmount(Status);
  if (status !== 1 && status !== 2) throw new FeedShapeError('expected 1 or 2 at value.Status');
  const affected = new Set(
    requireList(AffectedSegments, 'value.AffectedSegments').map((segment) => asText(asObject(segment)?.Line)),
  );
  for (const line of train_lines) {
    const listed = affected.has(line);
    const unclear = (status === 1 && listed) || (status === 2 && affected.size === 0);
    out.add(line, null, null, { disruption: unclear ? 'no_data' : Number(listed) });
  }
}
