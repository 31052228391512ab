import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed, FieldUse } from './feed.ts';
import { pocketSignals, type ReceivedMeasurement } from './pocket-signals.ts';

const MINUTE = 60_000;
const slot = Date.parse('2026-06-10T10:00:00Z');
const pockets = [
  { id: 'dom', lat: 51.963, lng: 7.6255 },
  { id: 'hafen', lat: 51.9505, lng: 7.639 },
] as Pocket[];

const feed = (fields: Record<string, Partial<FieldUse>>, changes: Partial<Feed> = {}): Feed => ({
  id: 'city',
  title: 'City',
  adapter: 'generic-json',
  every_seconds: 300,
  reach_m: 600,
  settings: {},
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, use]) => [
      name,
      { measures: 'crowd', what: name, fresh_minutes: 20, ...use } as FieldUse,
    ]),
  ),
  ...changes,
});

const measured = (changes: Partial<ReceivedMeasurement> = {}): ReceivedMeasurement => ({
  feed: 'city',
  place_id: 'theatre',
  lat: 51.9657,
  lng: 7.6265,
  field: 'free',
  value: 120,
  observed_at: slot - 5 * MINUTE,
  received_at: slot - 4 * MINUTE,
  ...changes,
});

const signalsFrom = (feeds: Feed[], ...received: ReceivedMeasurement[]) =>
  pocketSignals(pockets, feeds)(slot, received);
const parking = feed({ free: { points: 'down', proxy: true } });

describe('signals of pockets', () => {
  test('a sensor counts for the pockets within reach, under the name of feed, place and field', () => {
    const [signal, ...others] = signalsFrom([parking], measured());
    assert.equal(others.length, 0);
    assert.deepEqual(
      [signal?.kind, signal?.pocket_id, signal?.value, signal?.source],
      ['crowd', 'dom', 120, 'city/theatre'],
    );
    assert.deepEqual(signal?.sensor, {
      id: 'city/theatre/free',
      kind: 'city/free',
      points: 'down',
      proxy: true,
    });
  });

  const left: [why: string, changes: Partial<ReceivedMeasurement>, use: Partial<FieldUse>][] = [
    ['stale in a fresh answer', { observed_at: slot - 21 * MINUTE }, {}],
    ['past its expiry', { observed_at: null, expires_at: slot - 1 }, {}],
    ['from the future', { observed_at: slot + MINUTE }, {}],
    ['received after the slot', { received_at: slot + 1 }, {}],
    ['a zero that means no data', { value: 0 }, { zero: 'no_data' }],
    ['above what the field can be', { value: 900 }, { most: 800 }],
    ['below what the field can be', { value: -1 }, { least: 0 }],
    ['of a field that is not used', { field: 'total' }, {}],
    ['of a place without a position', { lat: null }, {}],
    ['too far away', { lat: 51.9 }, {}],
  ];
  for (const [why, changes, use] of left)
    test(`leaves out a value that is ${why}`, () => {
      assert.deepEqual(signalsFrom([feed({ free: use })], measured(changes)), []);
    });

  test('a place without a position may be assigned, and one may belong to two pockets', () => {
    const assigned = feed({ free: {} }, { places: { theatre: { pockets: ['dom', 'hafen'] } } });
    const found = signalsFrom([assigned], measured({ lat: null, lng: null }));
    assert.deepEqual(
      found.map(({ pocket_id }) => pocket_id),
      ['dom', 'hafen'],
    );
    const placed = feed({ free: {} }, { places: { theatre: { lat: 51.9505, lng: 7.639 } } });
    assert.equal(signalsFrom([placed], measured({ lat: null, lng: null }))[0]?.pocket_id, 'hafen');
  });

  test('a count stamped with the start of its interval is known at its end', () => {
    const counter = feed({ free: { stamp_minutes: 15, fresh_minutes: 20 } });
    const [signal] = signalsFrom([counter], measured({ observed_at: slot - 30 * MINUTE }));
    assert.equal(signal?.observed_at, slot - 15 * MINUTE);
    assert.deepEqual(signalsFrom([counter], measured({ observed_at: slot - 5 * MINUTE })), []);
  });

  test('a value without a time counts from its receipt', () => {
    assert.equal(signalsFrom([parking], measured({ observed_at: null }))[0]?.observed_at, slot - 4 * MINUTE);
  });

  test('rain of a quarter hour is the sum of its parts, and the mean of the nearest gauges', () => {
    const rain = feed({ mm: { measures: 'rain_mm', within_slot: 'sum' } });
    const gauge = (place_id: string, minutesAgo: number, value: number, lat = 51.963) =>
      measured({ place_id, field: 'mm', value, lat, lng: 7.6255, observed_at: slot - minutesAgo * MINUTE });
    const [signal, ...others] = signalsFrom(
      [rain],
      ...[gauge('near', 19, 9), gauge('near', 10, 0.2), gauge('near', 5, 0.4), gauge('near', 0, 0.4)],
      gauge('far', 0, 3, 51.965),
    );
    assert.equal(others.length, 0);
    assert.deepEqual([signal?.kind, signal?.value, signal?.source], ['rain_mm', 2, 'city/near city/far']);
  });

  test('units are converted', () => {
    const fahrenheit = feed({ mph: { measures: 'traffic_speed_kmh', factor: 1.609344 } });
    assert.equal(signalsFrom([fahrenheit], measured({ field: 'mph', value: 10 }))[0]?.value, 16.09344);
  });

  test('a closed place is a signal of its own, and ends the older value that is still fresh', () => {
    const open = measured({ observed_at: slot - 10 * MINUTE });
    const closed = measured({ value: Number.NaN, state: 'closed' });
    assert.deepEqual(
      signalsFrom([parking], open, closed).map((signal) => [signal.closed, signal.value, signal.observed_at]),
      [[true, 0, slot - 5 * MINUTE]],
    );
    assert.equal(signalsFrom([parking], closed, measured({ observed_at: slot }))[0]?.closed, undefined);
    const lots = feed({ free: { measures: 'carpark_occupancy' } });
    assert.deepEqual(signalsFrom([lots], open, closed), [], 'a share of a closed car park is none');
  });

  test('a place that has no data has none, though an older value would still be fresh', () => {
    const shown = measured({ observed_at: slot - 10 * MINUTE });
    const none = measured({ value: Number.NaN, state: 'no_data' });
    assert.deepEqual(signalsFrom([parking], shown, none), []);
    assert.deepEqual(signalsFrom([feed({ free: { measures: 'pm25' } })], shown, none), []);
    const counter = feed({ free: { within_slot: 'sum' } });
    assert.equal(
      signalsFrom([counter], shown, none, measured({ value: 3, observed_at: slot }))[0]?.value,
      123,
    );
  });

  test('a stated range comes with the sensor, in the unit of its values', () => {
    const ranged = feed({ free: { points: 'down', factor: 2, range: { low: 0, high: 300 } } });
    assert.deepEqual(signalsFrom([ranged], measured())[0]?.sensor?.range, { low: 0, high: 600 });
    const half = feed({ free: { range: { low: 0 } } });
    assert.deepEqual(signalsFrom([half], measured())[0]?.sensor?.range, { low: 0 });
    assert.equal(signalsFrom([parking], measured())[0]?.sensor?.range, undefined);
    const held = feed({ free: { capacity: 'total' } });
    assert.deepEqual(signalsFrom([held], measured({ high: 350 }))[0]?.sensor?.range, { low: 0, high: 350 });
    const listed = feed({ free: {} }, { places: { theatre: { lat: 51.9657, lng: 7.6265, capacity: 350 } } });
    assert.deepEqual(signalsFrom([listed], measured({ high: 625 }))[0]?.sensor?.range, { low: 0, high: 625 });
  });
});
