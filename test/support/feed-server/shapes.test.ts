// What the emulator answers has the fields and types of recorded answers, where these lie beside the checkout.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readRecorded, withPayloads } from '../../../src/sources/live/adapter.fixture.ts';
import { type FeedServer, startFeedServer } from './server.ts';

let server: FeedServer;
before(async () => {
  const places = {
    '*': [{ id: 'NE1', name: 'Somewhere', lat: 1.31, lng: 103.81 }],
    'data-gov-sg.pm25_ug_m3': [{ id: 'west', lat: 1.35735, lng: 103.7 }],
    opendatasoft: [{ id: '2', lat: -37.81, lng: 144.96 }],
  };
  server = await startFeedServer({ places, values: () => 12.5 });
});
after(() => server.close());

const v2 = '/data-gov-sg/v2';
const shapes: Record<string, string> = {
  [`${v2}/rainfall`]: 'datagovsg_v2/trimmed_Rainfall.json',
  [`${v2}/air-temperature`]: 'datagovsg_v2/trimmed_AirTemperature.json',
  [`${v2}/relative-humidity`]: 'datagovsg_v2/trimmed_RelativeHumidity.json',
  [`${v2}/pm25`]: 'datagovsg_v2/trimmed_PM25.json',
  [`${v2}/two-hr-forecast`]: 'datagovsg_v2/trimmed_TwoHourWeatherForecast.json',
  [`${v2}/weather?api=wbgt`]: 'datagovsg_v2/trimmed_WBGT.json',
  [`${v2}/weather?api=lightning`]: 'datagovsg_v2/trimmed_Lightning.json',
  '/data-gov-sg/v1/transport/taxi-availability': 'datagovsg_v1/trimmed_TaxiAvailability.json',
  '/data-gov-sg/v1/transport/carpark-availability': 'datagovsg_v1/transport_carparkavailability_default.json',
  '/lta-datamall/CarParkAvailabilityv2': 'lta/trimmed_CarParkAvailability.json',
  '/lta-datamall/v4/TrafficSpeedBands': 'lta/trimmed_TrafficSpeedBands_v4_shape.json',
  '/lta-datamall/PCDRealTime?TrainLine=NEL': 'lta/trimmed_StationCrowdDensityRealTime.json',
  '/lta-datamall/TrainServiceAlerts': 'lta/trimmed_TrainServiceAlerts.json',
  '/open-meteo/v1/forecast?latitude=1.31&longitude=103.81&current=temperature_2m,relative_humidity_2m':
    'open-meteo/current_madrid_2026-07-29.json',
  '/open-meteo/v1/air-quality?latitude=1.31&longitude=103.81&current=pm10,pm2_5':
    'open-meteo/air_quality_current_madrid_2026-07-29.json',
  '/gbfs/2/station_information.json': 'gbfs/v2.2_lillestrom/station_information.json',
  '/gbfs/2/station_status.json': 'gbfs/v2.2_lillestrom/station_status.json',
  '/gbfs/2/free_bike_status.json': 'gbfs/v2.3_entur-fixtures/free_bike_status.json',
  '/gbfs/3/gbfs.json': 'gbfs/v3.0_entur-fixtures/gbfs.json',
  '/gbfs/3/station_information.json': 'gbfs/v3.0_entur-fixtures/station_information.json',
  '/gbfs/3/station_status.json': 'gbfs/v3.0_entur-fixtures/station_status.json',
  '/gbfs/3/vehicle_status.json': 'gbfs/v3.0_entur-fixtures/vehicle_status.json',
  '/opendatasoft/api/explore/v2.1/catalog/datasets/pedestrian-counting-system-past-hour-counts-per-minute/records?limit=1':
    'melbourne/past_hour_per_minute_shape.json',
};

/** Every field of every row, as `data.stations[].id: string`. */
function listFields(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((row) => listFields(row, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, child]) =>
    listFields(child, path === '' ? key : `${path}.${key}`),
  );
}

for (const [address, file] of Object.entries(shapes))
  test(`${address.split('?')[0]} has the fields of ${file}`, withPayloads, async () => {
    const response = await fetch(`${server.url}${address}`, { headers: { AccountKey: 'k' } });
    const emulated = new Set(listFields(await response.json()));
    const known = new Set(listFields(JSON.parse(Buffer.from(readRecorded(file)).toString())));
    assert.deepEqual(
      [...emulated].filter((field) => !known.has(field)),
      [],
    );
  });
