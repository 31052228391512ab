// The recipes of docs/sources.md on whole recorded answers. Those are no part of the repository: without them the
// tests are skipped, and src/sources/live/recipes.test.ts stands for them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeedShapeError } from '../core/adapter.ts';
import { readRecorded, withPayloads } from './adapter.fixture.ts';
import { type GenericCsvSettings, genericCsv } from './generic-csv.ts';
import { type GenericJsonSettings, genericJson } from './generic-json.ts';
import { asLine, recipe, recipePoll } from './recipes.fixture.ts';

function readJson(
  id: string,
  path: string,
  changes: Partial<GenericJsonSettings> = {},
  points = recipePoll().points,
) {
  const feed = recipe<GenericJsonSettings>(id, changes);
  const poll = recipePoll({ points });
  const request = genericJson.requests(feed, poll)[0] ?? { url: 'https://city.example/' };
  const { measurements, faults, next } = genericJson.parse(readRecorded(path), feed, request, poll);
  return { measurements, read: measurements.map(asLine), faults, next };
}

function readCsv(id: string, path: string, now: string, changes: Partial<GenericCsvSettings> = {}) {
  const feed = recipe<GenericCsvSettings>(id, changes);
  const poll = recipePoll({ now: Date.parse(now) });
  const request = genericCsv.requests(feed, poll)[0] ?? { url: 'https://city.example/' };
  const { measurements, faults } = genericCsv.parse(readRecorded(path), feed, request, poll);
  return { measurements, read: measurements.map(asLine), faults };
}

const settings = (json: Omit<GenericJsonSettings, 'url'>): GenericJsonSettings => ({
  url: 'https://city.example/',
  ...json,
});
const parse = (path: string, json: Omit<GenericJsonSettings, 'url'>, time_zone = 'UTC') =>
  genericJson.parse(
    readRecorded(path),
    { id: 'a', settings: settings(json) },
    { url: 'https://city.example/' },
    recipePoll({ points: [], time_zone }),
  );

describe('a recorded answer', withPayloads, () => {
  test('of Melbourne: each minute, each hour as JSON, each hour as a table', () => {
    assert.deepEqual(readJson('melbourne-pedestrians', 'melbourne/past_hour_per_minute_shape.json').read, [
      '1 people_per_minute 3 2026-08-10T00:15',
    ]);
    const hourly = { place: 'locationid', time: { at: 'timestamp' } };
    assert.deepEqual(
      readJson('melbourne-pedestrians', 'melbourne/counts_per_hour_record.json', hourly).read,
      ['1 people_per_minute 9 2023-07-24T17:00'],
    );
    const table = readCsv(
      'melbourne-hourly',
      'melbourne/hourly_2019-05-02_12sensors.csv',
      '2019-05-03T00:00:00Z',
    );
    assert.equal(table.measurements.length, 24 * 12);
    assert.deepEqual(table.faults, {});
    assert.equal(table.read[0], '1 people_per_hour 100 2019-05-01T15:00');
    const largest = Math.max(...table.measurements.map(({ value }) => value));
    assert.ok(largest > 1000, 'counts with a thousands comma are read whole');
  });

  test('of sensor positions: two columns or one text, and swapped columns', () => {
    const read = (position: Partial<GenericCsvSettings>) => {
      const settings = {
        url: 'https://city.example/',
        place: 'sensor_id',
        fields: { active: { constant: 1 } },
        ...position,
      };
      const poll = recipePoll({ points: [] });
      const body = readRecorded('melbourne/sensor_locations_old_40.csv');
      return genericCsv.parse(body, { id: 'a', settings }, { url: settings.url }, poll);
    };
    const { measurements } = read({ lat: 'latitude', lng: 'longitude' });
    assert.equal(measurements.length, 40);
    assert.deepEqual(read({ coordinates: 'location', order: 'lat,lng' }).measurements, measurements);
    const swapped = read({ lat: 'longitude', lng: 'latitude' });
    assert.deepEqual(swapped.measurements, measurements);
    assert.deepEqual(swapped.faults, { bad_position: 40 });
  });

  test('of London: an unknown station is no data, not an empty one', () => {
    assert.deepEqual(readJson('tfl-crowding', 'tfl/crowding_live_available.json').read, [
      '940GZZLUBNK share_of_busiest 0.45 2026-02-16T12:00',
    ]);
    const unknown = readJson('tfl-crowding', 'tfl/crowding_live_unavailable_or_unknown_station.json');
    assert.deepEqual([unknown.read, unknown.faults], [[], { no_data: 1 }]);
    const docks = readJson('tfl-bikes', 'tfl/bikepoint_one_2017-09.json');
    assert.equal(docks.measurements.length, 2);
    assert.ok(docks.measurements.every(({ lat, lng }) => lat !== null && lng !== null));
    const occupancy = parse('tfl/bikepoint_occupancy_2022.json', {
      place: 'Id',
      fields: { bikes: 'BikesCount' },
    });
    assert.deepEqual(
      occupancy.measurements.map(({ value }) => value),
      [1, 34, 28],
    );
  });

  test('of London: one object in the place of a list, and the worst of several statuses', () => {
    const air = parse(
      'tfl/london_air_lmn.json',
      {
        rows: '/HourlyAirQualityIndex/LocalAuthority/[]/Site/[]/Species/[]',
        place: '2/@SiteCode',
        lat: '2/@Latitude',
        lng: '2/@Longitude',
        time: { at: '2/@BulletinDate' },
        field_name: '/@SpeciesCode',
        value: '/@AirQualityIndex',
        fields: { no2_index: { name: 'NO2' }, pm10_index: { name: 'PM10' } },
      },
      'Europe/London',
    );
    assert.deepEqual(air.measurements.map(asLine), [
      'ME2 pm10_index 2 2017-08-03T02:00',
      'ME9 no2_index 1 2017-08-03T02:00',
    ]);
    const lines = parse('tfl/line_status_tube_2023-09.json', {
      rows: '/*/lineStatuses/*',
      place: '2/id',
      fields: { severity: 'statusSeverity' },
      combine: 'least',
    });
    assert.equal(lines.measurements.length, 14);
    assert.ok((lines.measurements.find(({ place_id }) => place_id === 'piccadilly')?.value ?? 10) < 10);
  });

  test('of OpenAQ: -1 is no data, and a text for the number of rows does not stop the paging', () => {
    const near = [
      { pocket_id: 'a', lat: 35.2, lng: 128.6 },
      { pocket_id: 'b', lat: 54.9, lng: 23.8 },
    ];
    const live = readJson('openaq-pm25', 'openaq_v3/parameter_latest_live_2026-02-03.json', {}, near);
    assert.deepEqual(live.read, ['2622686 pm25_ug_m3 19 2026-02-03T13:00']);
    assert.deepEqual(live.faults, { no_data: 1 });
    assert.match(live.next[0]?.url ?? '', /page=2$/);
    const all = readJson(
      'openaq-pm25',
      'openaq_v3/parameter_latest.json',
      { within_km: undefined } as never,
      [],
    );
    assert.equal(all.measurements.length, 7);
    // A longitude of 185 is impossible: the value stays, without a position.
    assert.deepEqual(all.faults, { bad_position: 1 });
    const station = readJson(
      'openaq-pm25',
      'openaq_v3/location_latest.json',
      { within_km: undefined } as never,
      [],
    );
    assert.deepEqual(station.read, ['1 pm25_ug_m3 8.15 2025-07-09T01:30']);
    const period = parse('openaq_v3/sensor_measurements_limit5.json', {
      rows: '/results',
      place: { constant: 'sensor-3' },
      time: { at: '/period/datetimeTo/utc' },
      field_name: '/parameter/name',
      value: 'value',
      fields: { pm25: { unit: 'ug/m3', unit_at: '/parameter/units', to: 'ug/m3' } },
      paging: { by: 'page', parameter: 'page', limit: 5, total: '/meta/found' },
    });
    assert.equal(period.measurements.length, 5);
    assert.equal(period.next.length, 1);
  });

  test('of Sensor.Community: several measurements of one sensor, nan, and no time', () => {
    const dust = readJson('sensor-community', 'sensor-community/airrohr_v1_sensor_3329_sds011.json');
    assert.deepEqual(dust.read, [
      '1677 pm10_ug_m3 3.67 2023-04-19T16:17',
      '1677 pm25_ug_m3 2.7 2023-04-19T16:17',
      '1677 pm10_ug_m3 3.47 2023-04-19T16:14',
      '1677 pm25_ug_m3 2.27 2023-04-19T16:14',
    ]);
    const odd = readJson('sensor-community', 'sensor-community/odd_nan_and_null_timestamp.json');
    assert.deepEqual(odd.read, ['90113 temperature_c 27.72 2026-09-09T09:56']);
    assert.deepEqual(odd.faults, { no_data: 1 });
  });

  test('of the National Weather Service: units by their word, nulls, an empty observation', () => {
    const latest = readJson('nws-observations', 'weather_nws/stations_observations_latest.json', {
      rows: '',
    });
    assert.deepEqual(
      latest.read.map((line) => line.slice(0, 28)),
      ['KFLL temperature_c 22.8 2022', 'KFLL humidity_pct 75.7709358', 'KFLL wind_kmh 7.56 2022-03-0'],
    );
    const several = readJson('nws-observations', 'weather_nws/stations_observations_multiple.json');
    assert.deepEqual(several.read, [
      'KFLL temperature_c 10 2019-06-27T10:53',
      'KFLL humidity_pct 10 2019-06-27T10:53',
      'KFLL wind_kmh 36 2019-06-27T10:53',
    ]);
    assert.deepEqual(several.measurements.map(({ lat, lng }) => [lat, lng])[0], [26.07, -80.15]);
    for (const name of ['empty', 'missing_value']) {
      const none = readJson('nws-observations', `weather_nws/stations_observations_${name}.json`);
      assert.deepEqual([none.read, none.faults], [[], { no_data: 4 }], name);
    }
  });

  test('of Bright Sky and MET Norway', () => {
    assert.deepEqual(readJson('bright-sky', 'weather_brightsky/synop_10min_record.json').read, [
      'centre temperature_c 16.8 2026-10-02T10:10',
      'centre rain_mm_10min 0 2026-10-02T10:10',
      'centre wind_kmh 9.4 2026-10-02T10:10',
    ]);
    assert.deepEqual(readJson('bright-sky', 'weather_brightsky/weather_sources_part.json').read, []);
    assert.deepEqual(
      readJson('met-norway', 'weather_metno/locationforecast_complete_2020-06-10_one_step.json').read,
      [
        'centre temperature_c 20.7 2020-06-10T13:00',
        'centre humidity_pct 48.6 2020-06-10T13:00',
        'centre wind_kmh 9 2020-06-10T13:00',
      ],
    );
  });

  test('of Münster: the counter without its channels, and car parks that are closed', () => {
    const bikes = readCsv(
      'bike_counter',
      'generic/muenster_bike_counter_raw_2025-06_first100.csv',
      '2025-06-02T00:00:00Z',
      {
        since_hours: 48,
      },
    );
    assert.equal(bikes.measurements.length, 100);
    // Midnight in Münster is 22:00 in UTC, and the quarter hour was over 15 minutes later.
    assert.equal(bikes.read[0], '100031297 bikes_15min 103 2025-05-31T22:15');
    const parking = readCsv(
      'parking',
      'generic/muenster_parking_raw_2026-06-10_first40.csv',
      '2026-06-10T00:00:00Z',
    );
    assert.equal(parking.read[0], 'ph-theater free_spaces 659 2026-06-09T22:00');
    assert.ok(
      parking.measurements.some(({ state }) => state === 'closed'),
      '"ges" is closed',
    );
    assert.equal(parking.faults.bad_value, undefined);
    assert.equal(parking.faults.bad_time, undefined);
  });

  test('of ArcGIS, Opendatasoft, Eco-Visio, WAQI and AirNow', () => {
    const arcgis = readJson('arcgis-parking', 'generic/arcgis_featureserver_page.json', {
      place: '/attributes/CODIGOESTACION',
      fields: { order: '/attributes/NUMEROORDEN' },
      time: undefined,
    } as never);
    assert.deepEqual(arcgis.read, ['19034 order 3 -']);
    assert.match(arcgis.next[0]?.url ?? '', /resultOffset=1000/);
    assert.throws(
      () => readJson('arcgis-parking', 'generic/arcgis_error_with_http_200.json'),
      (error) => error instanceof FeedShapeError && /error at \/error/.test(error.message),
    );
    const bikes = readJson('vlille', 'generic/opendatasoft_v1_vlille_2021-01-08.json');
    assert.deepEqual(bikes.read.slice(0, 2), [
      '8 bikes 14 2021-01-08T15:31',
      '8 empty_docks 18 2021-01-08T15:31',
    ]);
    assert.deepEqual([bikes.measurements[0]?.lat, bikes.measurements[0]?.lng], [50.632366, 3.062313]);
    const other = { coordinates: '/geometry/coordinates', order: 'lng,lat' } as const;
    const turned = readJson('vlille', 'generic/opendatasoft_v1_vlille_2021-01-08.json', other);
    assert.deepEqual(turned.measurements, bikes.measurements);
    assert.deepEqual(readJson('eco-visio', 'generic/ecovisio_data_shape.json').read, [
      '100125116 bikes_day 5020 2022-01-01T23:00',
    ]);
    const counters = parse('generic/ecovisio_counter_shape.json', {
      place: 'idPdc',
      lat: 'lat',
      lng: 'lon',
      time: { at: 'today', format: 'DD/MM/YYYY' },
      fields: { yesterday: 'lastDay' },
    });
    assert.deepEqual(counters.measurements.map(asLine), ['100125116 yesterday 3455 2022-05-26T00:00']);
    const waqi = readJson('waqi', 'generic/waqi_air_quality.json', { rows: '', errors: [] });
    assert.deepEqual(waqi.read[0], '4584 aqi 29 2023-08-07T15:00');
    const airnow = parse('generic/airnow_response.json', {
      place: 'siteID',
      time: { at: ['dateObserved', 'hourObserved'], format: 'YYYY-MM-DD HH:mm', zone: 'America/Los_Angeles' },
      field_name: 'parameterName',
      value: 'nowcastAQI',
      fields: { pm25_aqi: { name: 'PM2.5', no_data: [-1] } },
    });
    assert.deepEqual(airnow.measurements.map(asLine), ['060371103 pm25_aqi 37 2020-12-20T23:00']);
  });

  test('of 511: a placeholder for a missing time, and impossible coordinates', () => {
    const event = { place: 'ID', lat: 'Latitude', lng: 'Longitude', fields: { events: { constant: 1 } } };
    const newYork = parse('generic/ny511_event_2015.json', {
      ...event,
      time: { at: 'LastUpdated', format: 'DD/MM/YYYY HH:mm:ss', zone: 'America/New_York' },
    });
    assert.deepEqual(newYork.measurements.map(asLine), ['NYSDOT-CVO-2204860 events 1 2015-03-25T17:00']);
    const none = parse('generic/ny511_event_2015.json', {
      ...event,
      time: { at: 'Reported', format: 'DD/MM/YYYY HH:mm:ss' },
    });
    assert.deepEqual([none.measurements, none.faults], [[], { bad_time: 1 }]);
    const ontario = parse('generic/ontario511_events_shape.json', {
      ...event,
      time: { at: 'LastUpdated', format: 'epoch_s' },
    });
    assert.deepEqual(ontario.measurements.map(asLine), ['86216 events 1 2025-09-10T19:21']);
    assert.deepEqual(ontario.faults, { bad_position: 1, bad_time: 1 });
  });

  test('of Zürich: a polygon is no position', () => {
    const places = parse('generic/zurich_hystreet_locations.geojson', {
      rows: '/features',
      place: 'id',
      coordinates: 'geometry',
      fields: { listed: { constant: 1 } },
    });
    assert.equal(places.measurements.length, 4);
    assert.deepEqual(places.faults, { bad_position: 4 });
    assert.ok(places.measurements.every(({ lat }) => lat === null));
  });
});
