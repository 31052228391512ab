import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed, FieldUse } from './feed.ts';
import { isFrozen, LEAST_FROZEN_MS, LEAST_HISTORY_MS, nextRun, type SensorRun, sensorKey } from './frozen.ts';
import { valueFault } from './meaning/judge-rows.ts';
import type { Measurement } from './measurement.ts';
import { placeFinder } from './place.ts';
import { checkRows, observedTime } from './quality.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const now = Date.parse('2026-06-10T10:00:00Z');
const crowd: FieldUse = { measures: 'crowd', points: 'up', what: 'people', fresh_minutes: 20 };
const pockets = [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[];
const feed: Feed = {
  id: 'city',
  title: 'City',
  adapter: 'generic-json',
  every_seconds: 60,
  reach_m: 500,
  settings: {},
  fields: { people: crowd, rain: { ...crowd, measures: 'rain_mm' } },
};
const row = (changes: Partial<Measurement> = {}): Measurement => ({
  feed: 'city',
  place_id: 'gate',
  lat: 51.963,
  lng: 7.626,
  field: 'people',
  value: 7,
  observed_at: now - MINUTE,
  ...changes,
});
const check = (rows: Measurement[], runs = new Map<string, SensorRun>(), by = feed) =>
  checkRows(rows, { feed: by, pockets, find: placeFinder(pockets), received_at: now, runs });

test('several messages of one sensor without a time are told apart by when they came', () => {
  const at = (arrived_at: number) => row({ observed_at: null, arrived_at });
  const { kept, faults } = check([at(now - 2), at(now - 1), at(now - 1)]);
  assert.deepEqual([kept.length, faults], [2, { duplicate: 1 }]);
});

describe('values', () => {
  const table: [value: number, use: Partial<FieldUse>, fault: string | null][] = [
    [0, {}, null],
    [0, { zero: 'no_data' }, 'no_data'],
    [5, { least: 5, most: 5 }, null],
    [4, { least: 5 }, 'bad_value'],
    [6, { most: 5 }, 'bad_value'],
    [-999, { least: 0 }, 'bad_value'],
    [Number.NaN, {}, 'bad_value'],
    [Number.POSITIVE_INFINITY, {}, 'bad_value'],
  ];
  for (const [value, use, fault] of table)
    test(`${value} with ${JSON.stringify(use)} is ${fault ?? 'a value'}`, () => {
      assert.equal(valueFault(value, { ...crowd, ...use }), fault);
    });
});

describe('times', () => {
  const table: [why: string, observed: number | null, use: Partial<FieldUse>, expected: unknown][] = [
    ['without one it counts from its receipt', null, {}, null],
    ['an old value in a fresh answer is stale', now - 21 * MINUTE, {}, 'stale'],
    ['at the limit it is fresh', now - 20 * MINUTE, {}, now - 20 * MINUTE],
    ['a clock a minute ahead is put right', now + MINUTE, {}, now],
    ['one further ahead is not believed', now + MINUTE + 1, {}, 'future'],
    [
      'the start of an interval is known at its end',
      now - 30 * MINUTE,
      { stamp_minutes: 15 },
      now - 30 * MINUTE,
    ],
    ['an interval that has not ended is of the future', now - 5 * MINUTE, { stamp_minutes: 15 }, 'future'],
    [
      'an end a few seconds ahead is put right',
      now - 15 * MINUTE + 5000,
      { stamp_minutes: 15 },
      now - 15 * MINUTE,
    ],
    ['half a millisecond is no time', 1.5, {}, 'bad_time'],
  ];
  for (const [why, observed, use, expected] of table)
    test(why, () => assert.equal(observedTime(observed, now, { ...crowd, ...use }), expected));
});

describe('frozen sensors', () => {
  const seen = (values: [hour: number, value: number][]) =>
    values.reduce<SensorRun | undefined>((run, [hour, value]) => nextRun(run, value, hour * HOUR), undefined);
  const week = LEAST_HISTORY_MS / HOUR;

  test('the same value for longer than ever before, after a week of history', () => {
    // It held 7 for eight hours once.
    const before: [number, number][] = [...[0, 8].map((h): [number, number] => [h, 7]), [9, 3], [week, 5]];
    const held = (hours: number) => seen([...before, [week + hours, 5]]) as SensorRun;
    assert.equal(isFrozen(held(8)), false);
    assert.equal(isFrozen(held(8.1)), true);
  });

  test('neither within the first week nor within six hours', () => {
    assert.equal(
      isFrozen(
        seen([
          [0, 1],
          [1, 2],
          [48, 2],
        ]) as SensorRun,
      ),
      false,
    );
    const short = LEAST_FROZEN_MS / HOUR - 0.1;
    assert.equal(
      isFrozen(
        seen([
          [0, 1],
          [week, 2],
          [week + short, 2],
        ]) as SensorRun,
      ),
      false,
    );
  });

  test('a value that is not newer changes nothing', () => {
    const run = seen([
      [0, 1],
      [2, 1],
    ]) as SensorRun;
    assert.equal(nextRun(run, 9, 2 * HOUR), run);
  });

  test('is left out and counted, except that dry weather may last', () => {
    const run = {
      since: now - 9 * HOUR,
      until: now - 10 * MINUTE,
      longest_ms: 8 * HOUR,
      first_seen: now - 10 * 24 * HOUR,
      largest: 9,
      capacity: null,
      zero: null,
    };
    const runs = (field: string, value: number) =>
      new Map([[sensorKey({ place_id: 'gate', field }), { value, shown: value, ...run }]]);
    assert.deepEqual(check([row()], runs('people', 7)).faults, { frozen: 1 });
    assert.deepEqual(check([row({ value: 8 })], runs('people', 7)).faults, {});
    assert.equal(check([row({ field: 'rain', value: 0 })], runs('rain', 0)).kept.length, 1);
    assert.deepEqual(check([row({ field: 'rain', value: 2 })], runs('rain', 2)).faults, { frozen: 1 });
  });
});

describe('rows of a poll', () => {
  test('duplicates are counted and the first is kept', () => {
    const { kept, faults } = check([row(), row({ value: 9 }), row({ observed_at: now - 2 * MINUTE })]);
    assert.deepEqual([kept.map(({ value }) => value), faults], [[7, 7], { duplicate: 1 }]);
  });

  test('each fault is counted, and what is out of reach or not used is passed over', () => {
    const {
      kept,
      faults,
      pockets: covered,
      places,
      newest_observed,
    } = check([
      row(),
      row({ place_id: 'old', observed_at: now - 30 * MINUTE }),
      row({ place_id: 'ahead', observed_at: now + HOUR }),
      row({ place_id: 'swapped', lat: 7.626, lng: 51.963 }),
      row({ place_id: 'swapped', lat: 7.626, lng: 51.963, field: 'rain' }),
      row({ place_id: 'lost', lat: 951 }),
      row({ place_id: 'far', lat: 52.5 }),
      row({ place_id: 'far', lat: 52.5, value: Number.NaN }),
      row({ field: 'constructor' }),
    ]);
    assert.deepEqual(
      kept.map(({ place_id, field, lat }) => [place_id, field, lat]),
      [
        ['gate', 'people', 51.963],
        ['swapped', 'people', 51.963],
        ['swapped', 'rain', 51.963],
      ],
    );
    assert.deepEqual(faults, { stale: 1, future: 1, bad_position: 2 });
    assert.deepEqual(
      [[...covered], [...places], newest_observed],
      [['dom'], ['gate', 'swapped'], now - MINUTE],
    );
  });

  test('an id that cannot be stored is a fault', () => {
    const ids = ['', 'a\u0000b', '\ud800', 'x'.repeat(201), 'line\nbreak'];
    const { kept, faults } = check([...ids, 'Münster (Nord)'].map((place_id) => row({ place_id })));
    assert.deepEqual([kept.length, faults], [1, { bad_value: ids.length }]);
  });

  test('a place that the city file assigns needs no position', () => {
    const assigned = { ...feed, places: { hall: { pockets: ['dom'] } } };
    const { kept, faults } = check([row({ place_id: 'hall', lat: null, lng: null })], new Map(), assigned);
    assert.deepEqual([kept.length, faults], [1, {}]);
  });

  const garage: Feed = { ...feed, fields: { people: { ...crowd, points: 'down' } } };

  test('closed places are kept, and rows without data are given out apart', () => {
    const said = (place_id: string, state: Measurement['state']) =>
      row({ place_id, value: Number.NaN, ...(state && { state }) });
    const { kept, no_data, faults, places } = check(
      [said('a', 'closed'), said('b', 'full'), said('c', 'no_data'), row({ place_id: 'd', value: 0 })],
      new Map(),
      garage,
    );
    assert.deepEqual(
      kept.map(({ place_id, value, state }) => [place_id, value, state]),
      [
        ['a', Number.NaN, 'closed'],
        ['b', 0, undefined],
      ],
    );
    assert.deepEqual(
      no_data.map(({ place_id, state }) => [place_id, state]),
      [
        ['c', 'no_data'],
        ['d', 'no_data'],
      ],
    );
    assert.deepEqual([faults, [...places]], [{ no_data: 1, zero_unknown: 1 }, ['a', 'b']]);
  });

  test('what a zero means is remembered from poll to poll', () => {
    const at = (minutes: number, value: number) => row({ value, observed_at: now - minutes * MINUTE });
    const first = check([at(15, 400), at(10, 8)], new Map(), garage);
    const second = check([at(5, 0)], first.runs, garage);
    assert.deepEqual([second.kept.map(({ value }) => value), second.faults], [[0], {}]);
    assert.equal(second.runs.get(sensorKey(row()))?.zero, 'value');
    const jump = check([at(5, 0)], check([at(10, 400)], new Map(), garage).runs, garage);
    assert.deepEqual([jump.kept, jump.faults], [[], { zero_unknown: 1 }]);
    const third = check([at(0, 0)], jump.runs, garage);
    assert.deepEqual([third.kept, third.no_data.length], [[], 1]);
  });

  test('a value beyond the stated capacity is used, counted and named', () => {
    const stated: Feed = { ...garage, places: { gate: { lat: 51.963, lng: 7.626, capacity: 350 } } };
    const { kept, faults, over_capacity } = check([row({ value: 625 })], new Map(), stated);
    assert.deepEqual([kept[0]?.value, kept[0]?.high, faults], [625, 625, { over_capacity: 1 }]);
    assert.deepEqual([...over_capacity], [['gate', { shown: 625, stated: 350 }]]);
  });

  test('a capacity that the feed gives in a field of its own is read with the values', () => {
    const given: Feed = { ...garage, fields: { people: { ...crowd, points: 'down', capacity: 'total' } } };
    const { kept, faults } = check(
      [row({ value: 40 }), row({ field: 'total', value: 200 })],
      new Map(),
      given,
    );
    assert.deepEqual([kept.map(({ field, high }) => [field, high]), faults], [[['people', 200]], {}]);
  });
});
