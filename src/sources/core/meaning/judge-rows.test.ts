import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { MINUTE } from '../../../domain/time/slot.ts';
import type { Feed, FieldUse, PlaceState } from '../feed.ts';
import type { SensorRun } from '../frozen.ts';
import type { Measurement } from '../measurement.ts';
import { isOverCapacity, judgeRows, type TimedRow } from './judge-rows.ts';
import { type Said, saidValue, stateReader } from './place-state.ts';

const start = Date.parse('2026-06-10T00:00:00Z');
const parking: FieldUse = { measures: 'crowd', what: 'free places', points: 'down', fresh_minutes: 30 };

/** Minutes after the start, place, and a number or what stands in its place. */
type Given = [minutes: number, place: string, given: number | PlaceState];

const timedRows = (given: readonly Given[]): TimedRow<Measurement>[] =>
  given.map(([minutes, place_id, value]) => ({
    at: start + minutes * MINUTE,
    row: {
      feed: 'parking',
      place_id,
      lat: null,
      lng: null,
      field: 'free',
      ...(typeof value === 'number' ? { value } : { value: Number.NaN, state: value }),
      observed_at: start + minutes * MINUTE,
    },
  }));

/** What each place says, in order of time; `-` where a row is left out. */
function said(given: readonly Given[], use: Partial<FieldUse> = {}, runs = new Map<string, SensorRun>()) {
  const judged = judgeRows(timedRows(given), { fields: { free: { ...parking, ...use } } }, runs);
  const byPlace = new Map<string, (Said | '-')[]>();
  for (const { row, said: says } of judged)
    byPlace.set(row.place_id, [...(byPlace.get(row.place_id) ?? []), says ?? '-']);
  return Object.fromEntries(byPlace);
}

test('a feed of hundreds of thousands of places at one time is judged', () => {
  const many = Array.from({ length: 190_000 }, (_, i): Given => [0, `place ${i}`, i + 1]);
  const judged = judgeRows(timedRows(many), { fields: { free: parking } }, new Map());
  assert.equal(judged.length, 190_000);
});

describe('what stands in the place of a number', () => {
  const table: [state: PlaceState, use: Partial<FieldUse>, says: Said][] = [
    ['full', { points: 'down' }, 0],
    ['full', { points: 'down', range: { low: 0, high: 300 } }, 0],
    ['full', { points: 'up', range: { high: 1 } }, 1],
    ['full', { points: 'up' }, 'no_data'],
    ['empty', { points: 'up' }, 0],
    ['empty', { points: 'down', range: { high: 300 } }, 300],
    ['empty', { points: 'down' }, 'no_data'],
    ['closed', { points: 'down' }, 'closed'],
    ['no_data', { points: 'up' }, 'no_data'],
  ];
  for (const [state, use, says] of table)
    test(`${state} with ${JSON.stringify(use)} is ${says}`, () => {
      assert.equal(saidValue(state, { ...parking, ...use }), says);
      assert.deepEqual(said([[0, 'a', state]], use), { a: [says] });
      assert.deepEqual(said([[0, 'a', 0]], { ...use, zero: state }), { a: [says] }, 'as the meaning of 0');
    });

  test('a state decides over the number beside it, whichever comes first', () => {
    assert.deepEqual(
      said([
        [0, 'a', 12],
        [0, 'a', 'closed'],
      ]).a?.toSorted(),
      ['-', 'closed'],
    );
    assert.deepEqual(
      said([
        [0, 'a', 'closed'],
        [0, 'a', 12],
      ]).a?.toSorted(),
      ['-', 'closed'],
    );
  });

  test('words and other fields are read as the feed describes them', () => {
    const read = stateReader([
      {
        id: 'parking',
        fields: {
          free: {
            ...parking,
            words: { bes: 'full', '-1': 'no_data' },
            status: { field: 'renting', closed: [0, false, 'off'] },
          },
        },
      },
    ]);
    const field = 'free';
    assert.deepEqual(read('parking', 'free', 'bes'), [{ field, state: 'full' }]);
    assert.deepEqual(read('parking', 'free', '-1'), [{ field, state: 'no_data' }]);
    assert.equal(read('parking', 'free', 'odd'), undefined, 'to be read as a number, and then a bad value');
    for (const text of ['0', 'false', 'off'])
      assert.deepEqual(read('parking', 'renting', text), [{ field, state: 'closed' }], text);
    assert.deepEqual(read('parking', 'renting', 'true'), [], 'as usual');
    assert.equal(read('other', 'free', 'bes'), undefined);
  });
});

describe('a zero that nobody explains', () => {
  const series = (place: string, ...values: number[]): Given[] =>
    values.map((value, i) => [i * 5, place, value]);

  test('is a value after a run down to it, and no data after a jump, until the next number', () => {
    assert.deepEqual(said(series('a', 400, 30, 0, 0, 5, 0)), { a: [400, 30, 0, 0, 5, 0] });
    assert.deepEqual(said(series('a', 400, 0, 0, 390, 20, 0)), {
      a: [400, 'no_data', 'no_data', 390, 20, 0],
    });
    assert.deepEqual(said(series('a', 0, 0, 7, 0)), { a: ['no_data', 'no_data', 7, 'no_data'] });
  });

  test('is what the file says where it says it', () => {
    assert.deepEqual(said(series('a', 0, 400, 0), { zero: 'value' }), { a: [0, 400, 0] });
    assert.deepEqual(said(series('a', 400, 3, 0), { zero: 'no_data' }), { a: [400, 3, 'no_data'] });
    assert.deepEqual(said(series('a', 400, 0), { zero: 'closed' }), { a: [400, 'closed'] });
    assert.deepEqual(said(series('a', 400, 0), { zero: 'full' }), { a: [400, 0] });
    const rain = { measures: 'rain_mm', what: 'rain', fresh_minutes: 20 } as FieldUse;
    const judged = judgeRows(timedRows(series('a', 0)), { fields: { free: rain } }, new Map());
    assert.deepEqual(
      judged.map((row) => row.said),
      [0],
      'of other signals a zero is a value',
    );
  });

  test('is no data for all places that closed together, those at zero before included', () => {
    const stations = { a: [90, 0, 0], b: [50, 0, 0], c: [4, 0, 0], empty: [0, 0, 0], open: [7, 7, 7] };
    // `empty` had run down before the others closed.
    const before: Given[] = [
      [-10, 'empty', 40],
      [-5, 'empty', 2],
    ];
    const rows = Object.entries(stations).flatMap(([place, values]) => series(place, ...values));
    const says = said([...before, ...rows]);
    assert.deepEqual(says, {
      empty: [40, 2, 0, 'no_data', 'no_data'],
      a: [90, 'no_data', 'no_data'],
      b: [50, 'no_data', 'no_data'],
      c: [4, 'no_data', 'no_data'],
      open: [7, 7, 7],
    });
  });

  test('places whose times differ by minutes are of one round', () => {
    const rows: Given[] = [
      [0, 'a', 9],
      [1, 'b', 30],
      [3, 'c', 2],
      [20, 'a', 0],
      [22, 'b', 0],
      [27, 'c', 0],
    ];
    assert.deepEqual(said(rows), { a: [9, 'no_data'], b: [30, 'no_data'], c: [2, 'no_data'] });
  });

  test('a feed that repeats what it gave before is not judged anew', () => {
    const runs = new Map<string, SensorRun>();
    const rows = series('a', 400, 20, 0, 0, 12);
    said(rows, {}, runs);
    assert.deepEqual(said(rows, {}, runs), { a: [400, 20, '-', '-', 12] });
    assert.deepEqual(said([[25, 'a', 0]], {}, runs), { a: [0] });
  });

  test('it does not matter how rows are divided into polls', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 100 }));
    const rounds = fc.array(fc.tuple(value, value, value, value), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rounds, fc.nat(12), (values, cut) => {
        const rows = values.flatMap((round, i) => round.map((v, p): Given => [i * 20, `p${p}`, v]));
        const runs = new Map<string, SensorRun>();
        const first = said(rows.slice(0, cut * 4), {}, runs);
        const second = said(rows.slice(cut * 4), {}, runs);
        for (const [place, all] of Object.entries(said(rows)))
          assert.deepEqual([...(first[place] ?? []), ...(second[place] ?? [])], all);
      }),
    );
  });

  test('what is said is the number that was given, or nothing', () => {
    const given = fc.array(fc.tuple(fc.nat(60), fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(500)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(given, (rows) => {
        const judged = judgeRows(timedRows(rows), { fields: { free: parking } }, new Map());
        assert.equal(judged.length, rows.length);
        for (const { row, said: says, fault } of judged) {
          if (typeof says === 'number') assert.equal(says, row.value);
          else assert.ok(fault === 'duplicate' || (row.value === 0 && fault === 'zero_unknown'));
        }
      }),
    );
  });
});

test('a garage that is called full while it is closed is not believed', () => {
  const days: Given[] = [];
  for (let minutes = 0; minutes < 36 * 60; minutes += 30) days.push([minutes, 'a', 300 + (minutes % 7)]);
  const night = (offset: number): Given => [36 * 60 + offset, 'a', 'full'];
  const { a = [] } = said([...days, night(0), night(30)]);
  assert.deepEqual(a.slice(-2), ['no_data', 'no_data']);
});

test('a full garage is believed for half a day, and says more when it has a place again', () => {
  const rows: Given[] = [
    [0, 'a', 300],
    [5, 'a', 4],
  ];
  for (let hours = 0; hours <= 14; hours++) rows.push([10 + hours * 60, 'a', 'full']);
  const { a = [] } = said([...rows, [10 + 15 * 60, 'a', 6]]);
  assert.deepEqual(a, [300, 4, ...Array(13).fill(0), 'no_data', 'no_data', 6]);
});

describe('how many a place holds', () => {
  const lots = (at: number, place_id: string, field: string, value: number): TimedRow<Measurement> => ({
    at,
    row: { feed: 'parking', place_id, lat: null, lng: null, field, value, observed_at: at },
  });
  const highs = (
    rows: TimedRow<Measurement>[],
    use: Partial<FieldUse>,
    places: Feed['places'] = {},
    runs = new Map<string, SensorRun>(),
  ) =>
    judgeRows(rows, { fields: { free: { ...parking, ...use } }, places }, runs).map((judged) => [
      judged.high,
      isOverCapacity(judged),
    ]);

  test('is what the city says of the place, then what the feed says, then what holds for all places', () => {
    const rows = [lots(start, 'a', 'total', 250), lots(start, 'a', 'free', 40)];
    const all = { capacity: 'total', range: { high: 200 } };
    assert.deepEqual(highs(rows, all, { a: { capacity: 300 } }), [[300, false]]);
    assert.deepEqual(highs(rows, all), [[250, false]]);
    assert.deepEqual(highs(rows.slice(1), all), [[200, false]]);
    assert.deepEqual(highs(rows, {}), [[undefined, false]]);
  });

  test('is remembered where the feed says it now and then', () => {
    const runs = new Map<string, SensorRun>();
    const use = { capacity: 'total' };
    highs([lots(start, 'a', 'total', 250), lots(start, 'a', 'free', 40)], use, {}, runs);
    assert.deepEqual(highs([lots(start + MINUTE, 'a', 'free', 30)], use, {}, runs), [[250, false]]);
  });

  test('is more than stated where the place has shown more, and then and later', () => {
    const shown = [340, 625, 300].map((value, i) => lots(start + i * MINUTE, 'a', 'free', value));
    assert.deepEqual(highs(shown, {}, { a: { capacity: 350 } }), [
      [350, false],
      [625, true],
      [625, false],
    ]);
  });

  test('is what a full platform shows', () => {
    const full = { at: start, row: { ...lots(start, 'a', 'free', Number.NaN).row, state: 'full' as const } };
    const use: Partial<FieldUse> = { points: 'up', capacity: 'total' };
    const fields = { free: { ...parking, ...use } };
    const [judged] = judgeRows([full, lots(start, 'a', 'total', 80)], { fields }, new Map());
    assert.equal(judged?.said, 80);
  });
});
