// LTA DataMall: lists in pages of 500 rows, asked for with an AccountKey.

import { type FeedAnswer, type FeedView, json, type Place, type Publisher } from '../view.ts';
import { localTime, offsetTime } from './local-time.ts';

const ZONE = 'Asia/Singapore';
const PAGE_ROWS = 500;
/** Half the length of a road, in degrees. */
const HALF_ROAD = 0.0005;

/** Which line a station is on, by the letters of its code. */
const lineOf: Readonly<Record<string, string>> = {
  BP: 'BPL',
  CC: 'CCL',
  CE: 'CEL',
  CG: 'CGL',
  DT: 'DTL',
  EW: 'EWL',
  NE: 'NEL',
  NS: 'NSL',
  PE: 'PLRT',
  PW: 'PLRT',
  SE: 'SLRT',
  SW: 'SLRT',
  TE: 'TEL',
};
const lines = [...new Set(Object.values(lineOf))];

/** `key` is the one AccountKey that is accepted; default: any. */
export function ltaDatamall(key?: string): Publisher {
  return ({ path, query, headers }, view) => {
    const given = headers.accountkey;
    if (!given || (key !== undefined && given !== key))
      return json({ fault: { faultstring: 'Invalid AccountKey' } }, 'value', 401);
    const skip = Number(query.get('$skip') ?? 0);
    switch (path) {
      case 'CarParkAvailabilityv2':
        return list(path, view.repeatRows(carParks(view)).slice(skip, skip + PAGE_ROWS), 'AvailableLots');
      case 'v4/TrafficSpeedBands': {
        const time = view.observedTime(300);
        const rows = view.repeatRows(speedBands(view, time)).slice(skip, skip + PAGE_ROWS);
        return list('TrafficSpeedBands', rows, 'MinimumSpeed', { lastUpdatedTime: localTime(time, ZONE) });
      }
      case 'PCDRealTime':
        return list('PcdRealTime', view.repeatRows(crowding(view, query.get('TrainLine'))), 'CrowdLevel');
      case 'TrainServiceAlerts':
        return alerts(view);
      default:
        return null;
    }
  };
}

const metadata = (name: string) =>
  `http://datamall2.mytransport.sg/ltaodataservice/$metadata#${name.replace(/v2$/, '')}`;

const list = (name: string, value: object[], field: string, beside: object = {}): FeedAnswer =>
  json({ 'odata.metadata': metadata(name), ...beside, value }, field);

function carParks(view: FeedView): object[] {
  const feed = 'lta-datamall.free_lots';
  // The publisher states no time; old values are the values of that time all the same.
  const time = view.observedTime(60);
  return view.places(feed).map((place) => ({
    CarParkID: place.id,
    Area: '',
    Development: place.name ?? place.id,
    Location: `${place.lat} ${place.lng}`,
    AvailableLots: view.value(feed, place, time),
    LotType: 'C',
    Agency: 'LTA',
  }));
}

/** Bands are ten km/h wide; the eighth is open. */
function speedBands(view: FeedView, time: number): object[] {
  const feed = 'lta-datamall.speed_kmh';
  return view.places(feed).map((place) => {
    const band = Math.min(Math.max(Math.floor(view.value(feed, place, time) / 10), 0), 7);
    return {
      LinkID: place.id,
      RoadName: (place.name ?? place.id).toUpperCase(),
      RoadCategory: '5',
      SpeedBand: band + 1,
      MinimumSpeed: String(band * 10),
      MaximumSpeed: band === 7 ? '999' : String(band * 10 + 9),
      StartLon: String(place.lng - HALF_ROAD),
      StartLat: String(place.lat),
      EndLon: String(place.lng + HALF_ROAD),
      EndLat: String(place.lat),
    };
  });
}

/** Three levels: the value is a share of what a platform holds. */
function crowding(view: FeedView, line: string | null): object[] {
  const feed = 'lta-datamall.platform_crowding';
  const time = view.observedTime(600);
  const onLine = ({ id }: Place) => lineOf[id.slice(0, 2)] === line;
  return view
    .places(feed)
    .filter(onLine)
    .map((place) => {
      const share = view.value(feed, place, time);
      return {
        Station: place.id,
        StartTime: offsetTime(time, ZONE),
        EndTime: offsetTime(time + 600_000, ZONE),
        CrowdLevel: share < 0.35 ? 'l' : share < 0.7 ? 'm' : 'h',
      };
    });
}

/** A line is disrupted where its value is 1 or more; the place is the line. */
function alerts(view: FeedView): FeedAnswer {
  const feed = 'lta-datamall.disruption';
  const affected = lines.filter(
    (line) => view.value(feed, { id: line, lat: 1.35, lng: 103.82 }, view.now) >= 1,
  );
  const value = {
    Status: affected.length > 0 ? 2 : 1,
    AffectedSegments: view.repeatRows(
      affected.map((Line) => ({
        Line,
        Direction: 'Both',
        Stations: '',
        FreePublicBus: '',
        FreeMRTShuttle: '',
        MRTShuttleDirection: '',
      })),
    ),
    Message: affected.map((line) => ({
      Content: `${line}: no train service`,
      CreatedDate: localTime(view.now, ZONE),
    })),
  };
  const [shown = []] = view.rows([value]);
  return json({ 'odata.metadata': metadata('TrainServicesAlerts'), value: shown }, 'Status');
}
