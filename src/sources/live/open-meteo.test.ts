import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertSound,
  lines,
  pollAt,
  read,
  readRecorded,
  recordedNames,
  refuses,
  withPayloads,
} from './adapter.fixture.ts';
import { openMeteo } from './open-meteo.ts';

type Settings = Parameters<typeof openMeteo.requests>[0]['settings'];
const weather: Settings = { datasets: ['weather'] };
const air: Settings = { datasets: ['air'] };

const muenster = { pocket_id: 'prinzipalmarkt', lat: 51.9623, lng: 7.628 };
const harbour = { pocket_id: 'hafen', lat: 51.9514, lng: 7.6399 };
const one = pollAt([muenster], 'Europe/Berlin');
const two = pollAt([muenster, harbour], 'Europe/Berlin');

const units = {
  time: 'unixtime',
  interval: 'seconds',
  temperature_2m: '°C',
  relative_humidity_2m: '%',
  precipitation: 'mm',
  wind_speed_10m: 'km/h',
  weather_code: 'wmo code',
};
const current = {
  time: 1768184100,
  interval: 900,
  temperature_2m: 3.4,
  relative_humidity_2m: 81,
  precipitation: 0.2,
  wind_speed_10m: 12.5,
  weather_code: 61,
};
const place = (changes: object = {}, newUnits: object = {}) => ({
  latitude: 51.96,
  longitude: 7.62,
  utc_offset_seconds: 0,
  current_units: { ...units, ...newUnits },
  current: { ...current, ...changes },
});

test('many places in one request, a hundred at most, each counted against the limit', () => {
  const points = Array.from({ length: 150 }, (_, n) => ({
    pocket_id: `p${n}`,
    lat: 51 + n / 1000,
    lng: 7.5,
  }));
  const requests = openMeteo.requests(
    { id: 'om', settings: { datasets: ['weather', 'air'] } },
    pollAt(points),
  );
  assert.deepEqual(
    requests.map(({ part, cost }) => [part, cost]),
    [
      ['weather 0', 100],
      ['weather 100', 50],
      ['air 0', 100],
      ['air 100', 50],
    ],
  );
  assert.ok(requests.every(({ url }) => url.length < 8_000));
  assert.equal(
    openMeteo.requests({ id: 'om', settings: weather }, two)[0]?.url,
    'https://api.open-meteo.com/v1/forecast?latitude=51.9623,51.9514&longitude=7.6280,7.6399&current=temperature_2m,relative_humidity_2m,precipitation,wind_speed_10m,weather_code&timeformat=unixtime',
  );
  assert.deepEqual(openMeteo.requests({ id: 'om', settings: weather }, pollAt([])), []);
});

test('one place is an object, several are a list in the order asked', () => {
  const expected = [
    'temperature_c 3.4',
    'humidity_pct 81',
    'rain_mm_15min 0.2',
    'wind_kmh 12.5',
    'weather_code 61',
  ].map((text) => `prinzipalmarkt ${text} @ 2026-01-12T02:15:00`);
  assert.deepEqual(lines(read(openMeteo, weather, place(), { poll: one })), expected);
  const both = read(openMeteo, weather, [place(), { ...place({ temperature_2m: -1 }), location_id: 1 }], {
    poll: two,
  });
  assert.deepEqual(
    both.measurements
      .filter(({ field }) => field === 'temperature_c')
      .map(({ place_id, lat, value }) => [place_id, lat, value]),
    [
      ['prinzipalmarkt', 51.9623, 3.4],
      ['hafen', 51.9514, -1],
    ],
  );
});

test('the second hundred of places is read for its own points', () => {
  const points = Array.from({ length: 101 }, (_, n) => ({ ...muenster, pocket_id: `p${n}` }));
  const poll = pollAt(points, 'Europe/Berlin');
  const request = openMeteo.requests({ id: 'om', settings: weather }, poll)[1];
  assert.ok(request);
  assert.equal(read(openMeteo, weather, place(), { poll, request }).measurements[0]?.place_id, 'p100');
});

test('units are converted, and unknown ones are faults', () => {
  const imperial = read(
    openMeteo,
    weather,
    place(
      { temperature_2m: 50, precipitation: 1, wind_speed_10m: 10 },
      { temperature_2m: '°F', precipitation: 'inch', wind_speed_10m: 'm/s' },
    ),
    { poll: one },
  );
  assert.deepEqual(
    imperial.measurements.map(({ field, value }) => `${field} ${value}`),
    ['temperature_c 10', 'humidity_pct 81', 'rain_mm_15min 25.4', 'wind_kmh 36', 'weather_code 61'],
  );
  const odd = read(
    openMeteo,
    weather,
    place({}, { temperature_2m: 'degrees', weather_code: 'constructor' }),
    {
      poll: one,
    },
  );
  assert.deepEqual(odd.faults, { bad_value: 2 });
});

test('absent values are no data, and rain of another interval is not that of a quarter hour', () => {
  const gaps = read(openMeteo, weather, place({ temperature_2m: null, relative_humidity_2m: undefined }), {
    poll: one,
  });
  assert.deepEqual(gaps.faults, { no_data: 2 });
  const hourly = read(openMeteo, weather, place({ interval: 3600 }), { poll: one });
  assert.ok(!hourly.measurements.some(({ field }) => field === 'rain_mm_15min'));
  assert.deepEqual(hourly.faults, { bad_value: 1 });
});

test('local times need the offset that stands beside them', () => {
  const iso = (extra: object) => ({ ...place({ time: '2026-07-29T18:00' }, { time: 'iso8601' }), ...extra });
  const summer = read(openMeteo, weather, iso({ utc_offset_seconds: 7200 }), { poll: one });
  assert.equal(summer.measurements[0]?.observed_at, Date.parse('2026-07-29T16:00:00Z'));
  const unknown = read(openMeteo, weather, iso({ utc_offset_seconds: undefined }), { poll: one });
  assert.deepEqual([unknown.measurements, unknown.faults], [[], { bad_time: 1 }]);
});

test('an answer about another place, too few places, another order and errors are not taken', () => {
  const elsewhere = read(openMeteo, weather, { ...place(), latitude: 7.62, longitude: 51.96 }, { poll: one });
  assert.deepEqual([elsewhere.measurements, elsewhere.faults], [[], { bad_position: 1 }]);
  refuses(() => read(openMeteo, weather, place(), { poll: two }), /expected 2 places/);
  const swapped = [{ ...place(), location_id: 1 }, place()];
  refuses(() => read(openMeteo, weather, swapped, { poll: two }), /out of order/);
  refuses(
    () => read(openMeteo, weather, { reason: 'Hourly limit exceeded', error: true }, { poll: one }),
    /error: Hourly limit exceeded/,
  );
  refuses(
    () => read(openMeteo, weather, { latitude: 51.96, longitude: 7.62 }, { poll: one }),
    /an object at current/,
  );
});

test('recorded answers are read', withPayloads, () => {
  const madrid = pollAt([{ pocket_id: 'sol', lat: 40.417, lng: -3.703 }], 'Europe/Madrid');
  const now = read(openMeteo, weather, readRecorded('open-meteo/current_madrid_2026-07-29.json'), {
    poll: madrid,
  });
  assert.deepEqual(lines(now), [
    'sol temperature_c 37.5 @ 2026-07-29T16:30:00',
    'sol humidity_pct 19 @ 2026-07-29T16:30:00',
  ]);
  const smog = read(openMeteo, air, readRecorded('open-meteo/air_quality_current_madrid_2026-07-29.json'), {
    poll: madrid,
  });
  assert.deepEqual(lines(smog), [
    'sol pm25_ug_m3 13.7 @ 2026-07-29T16:00:00',
    'sol pm10_ug_m3 25.3 @ 2026-07-29T16:00:00',
  ]);
  const cities = pollAt([
    { pocket_id: 'london', lat: 51.5, lng: -0.1 },
    { pocket_id: 'new-york', lat: 40.71, lng: -74 },
  ]);
  const both = read(openMeteo, air, readRecorded('open-meteo/air_quality_two_locations_2026-09-16.json'), {
    poll: cities,
  });
  // The second place was shortened by whoever recorded it: its offset is missing.
  assert.deepEqual(lines(both), [
    'london pm25_ug_m3 3.2 @ 2026-09-16T15:00:00',
    'london pm10_ug_m3 7.1 @ 2026-09-16T15:00:00',
  ]);
  assert.deepEqual(both.faults, { bad_time: 1 });
});

test('every other recorded answer is read or refused as a whole', withPayloads, () => {
  for (const file of recordedNames('open-meteo'))
    for (const settings of [weather, air])
      try {
        assertSound(read(openMeteo, settings, readRecorded(file), { poll: one }));
      } catch (error) {
        assert.equal((error as Error).name, 'FeedShapeError', `${file}: ${error}`);
      }
});
