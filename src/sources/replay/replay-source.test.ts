import assert from 'node:assert/strict';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Signal } from '../../domain/signals/signal.ts';
import { loadCity } from '../../registry/load.ts';
import type { Feed } from '../core/feed.ts';
import { stateReader } from '../core/meaning/place-state.ts';
import type { Measurement } from '../core/measurement.ts';
import { readReplayRows } from './replay-rows.ts';
import { mergeByTime, noCounts, replaySource } from './replay-source.ts';

const MINUTE = 60_000;
const slot = Date.parse('2026-06-10T10:00:00Z');
const pockets = [{ id: 'dom', lat: 51.963, lng: 7.6255 }] as Pocket[];
const bikes: Feed = {
  id: 'bikes',
  title: 'Bikes',
  adapter: 'generic-csv',
  every_seconds: 900,
  reach_m: 500,
  settings: {},
  fields: { count: { measures: 'crowd', what: 'bikes', points: 'up', stamp_minutes: 15, fresh_minutes: 30 } },
};
const row = (minutes: number, value: number, changes: Partial<Measurement> = {}): Measurement => ({
  feed: 'bikes',
  place_id: '1',
  lat: 51.963,
  lng: 7.6255,
  field: 'count',
  value,
  observed_at: slot + minutes * MINUTE,
  ...changes,
});
async function* stream(...rows: Measurement[]): AsyncGenerator<Measurement> {
  yield* rows;
}

test('each slot sees what was known by then, and not what came later', async () => {
  const source = replaySource(pockets, [bikes], stream(row(-30, 4), row(-15, 5), row(0, 6), row(45, 7)));
  const values = async (minutes: number) =>
    (await source.observe(slot + minutes * MINUTE)).map(({ value }) => value);
  // The quarter hour from -15 is counted at 0.
  assert.deepEqual(await values(0), [5]);
  assert.deepEqual(await values(15), [6]);
  assert.deepEqual(await values(45), [6]);
  assert.deepEqual(await values(60), [7]);
  assert.deepEqual(await values(120), []);
});

test('rows that the city does not use are counted', async () => {
  const counts = noCounts();
  const source = replaySource(
    pockets,
    [bikes],
    stream(row(-30, 4), row(-30, 1, { field: 'status' }), row(-30, 1, { feed: 'queue' })),
    counts,
  );
  await source.observe(slot);
  assert.equal(counts.used, 1);
  assert.deepEqual(
    [...counts.unused],
    [
      ['bikes status', 1],
      ['queue count', 1],
    ],
  );
});

test('swapped coordinates are put right as those of a live feed are, and 0, 0 is no position', async () => {
  const counts = noCounts();
  const odd = { swapped: { lat: 7.6255, lng: 51.963 }, unknown: { lat: 0, lng: 0 } };
  const rows = Object.entries(odd).map(([place_id, at]) => row(-30, 4, { place_id, ...at }));
  const source = replaySource(pockets, [bikes], stream(...rows), counts);
  assert.deepEqual(
    (await source.observe(slot)).map(({ value }) => value),
    [4],
  );
  assert.deepEqual(counts.faults, { bad_position: 2 });
});

test('a recording that names a new place in every row is used up to the limit of places, and the rest is counted', async () => {
  const counts = noCounts();
  const invented = Array.from({ length: 900 }, (_, i) => row(-30, 1 + i, { place_id: `bike ${i}` }));
  const odd = Array.from({ length: 1500 }, (_, i) => row(-30, 1, { field: `x${i}` }));
  const source = replaySource(
    pockets,
    [bikes],
    stream(row(-45, 4), ...invented, ...odd, row(-30, 5)),
    counts,
  );
  const signals = await source.observe(slot);
  assert.equal(signals.length, 500);
  assert.equal(signals.find(({ source: of }) => of === 'bikes/1')?.value, 5);
  assert.deepEqual(counts.faults, { too_many_places: 401 });
  assert.equal(counts.unused.size, 1001);
  assert.equal(counts.unused.get('others'), 500);
});

test('recordings are merged by time, and one that goes back in time is refused by name', async () => {
  const merged = [];
  const recordings = [
    { name: 'a', rows: stream(row(0, 1), row(30, 3)) },
    { name: 'b', rows: stream(row(15, 2), row(45, 4)) },
  ];
  for await (const { value } of mergeByTime(recordings)) merged.push(value);
  assert.deepEqual(merged, [1, 2, 3, 4]);
  const backwards = mergeByTime([{ name: 'odd.csv', rows: stream(row(30, 1), row(0, 2)) }]);
  await assert.rejects(async () => {
    for await (const _ of backwards);
  }, /odd\.csv is not in order of time/);
});

describe('a bike system that is closed from midnight to five', () => {
  const midnight = Date.parse('2026-06-10T00:00:00Z');
  const HOUR = 60 * MINUTE;
  const stations = ['a', 'b', 'c', 'd'];
  const system = (changes: Partial<Feed['fields'][string]>): Feed => ({
    ...bikes,
    id: 'hire',
    fields: {
      bikes: { measures: 'crowd', what: 'bikes left', points: 'down', fresh_minutes: 60, ...changes },
    },
  });
  /** Every ten minutes from 20:00 to 08:00: no bikes while it is closed, else a few; the last station runs out at times. */
  function* recorded(status: boolean): Generator<string> {
    yield 'timestamp,feed,place_id,lat,lon,field,value';
    for (let at = midnight - 4 * HOUR; at <= midnight + 8 * HOUR; at += 10 * MINUTE) {
      const closed = at >= midnight && at < midnight + 5 * HOUR;
      for (const [i, station] of stations.entries()) {
        const step = at / (10 * MINUTE);
        const count = closed
          ? 0
          : station === 'd'
            ? Math.max(0, 10 - (step % 12))
            : 1 + ((step * (i + 2)) % 9);
        const place = `${new Date(at).toISOString()},hire,${station},51.963,7.6255`;
        yield `${place},bikes,${count}`;
        if (status) yield `${place},is_renting,${closed ? 0 : 1}`;
      }
    }
  }
  async function signalsBySlot(feed: Feed, status: boolean) {
    const text = [...recorded(status)].join('\n');
    const rows = readReplayRows([Buffer.from(text)], { name: 'hire', states: stateReader([feed]) });
    const source = replaySource(pockets, [feed], rows);
    const bySlot = new Map<number, Signal[]>();
    for (let at = midnight - 4 * HOUR; at <= midnight + 8 * HOUR; at += 15 * MINUTE)
      bySlot.set(at - midnight, await source.observe(at));
    return bySlot;
  }
  const atNight = (time: number) => time >= 0 && time < 5 * HOUR;

  test('says that it is closed where a field tells it', async () => {
    const feed = system({ status: { field: 'is_renting', closed: [0, false] } });
    for (const [time, signals] of await signalsBySlot(feed, true)) {
      const closed = signals.filter((signal) => signal.closed).length;
      if (atNight(time)) assert.deepEqual([signals.length, closed], [stations.length, stations.length]);
      else assert.equal(closed, 0);
    }
  });

  test('says nothing where no field tells it', async () => {
    const bySlot = await signalsBySlot(system({}), false);
    for (const [time, signals] of bySlot)
      if (atNight(time)) assert.deepEqual(signals, [], new Date(midnight + time).toISOString());
    for (const [time, signals] of bySlot)
      if (!atNight(time))
        assert.equal(signals.length, stations.length, new Date(midnight + time).toISOString());
    const ranOut = [...bySlot.values()].flat().filter(({ value }) => value === 0);
    assert.ok(ranOut.length > 0 && ranOut.every(({ source }) => source === 'hire/d'));
  });
});

const data = join(import.meta.dirname, '../../../../shared/data/replay_muenster');

describe('recorded car parks of Münster', {
  skip: !existsSync(data) && `no recorded data in ${data}`,
}, () => {
  const { registry, feeds } = loadCity(join(import.meta.dirname, '../../../cities/muenster'));
  /** `#` a number, `0` full, `c` closed, `.` nothing; of each place at each slot. */
  async function shown(name: string, from: string, to: string) {
    const rows = readReplayRows(createReadStream(join(data, name)), { name, states: stateReader(feeds) });
    const source = replaySource(registry.pockets, feeds, rows);
    const places = new Map<string, string>();
    for (let at = Date.parse(from); at <= Date.parse(to); at += 15 * MINUTE) {
      const signals = new Map((await source.observe(at)).map((signal) => [signal.source, signal]));
      for (const place of Object.keys(feeds.find(({ id }) => id === 'parking')?.places ?? {})) {
        const signal = signals.get(`parking/${place}`);
        const mark = !signal ? '.' : signal.closed ? 'c' : signal.value === 0 ? '0' : '#';
        places.set(place, (places.get(place) ?? '') + mark);
      }
    }
    return places;
  }

  test('are full on a Saturday before Christmas, and closed at night where they say so', async () => {
    const name = '2024-11-25_2024-12-15_parking_5min.csv.gz';
    const noon = await shown(name, '2024-12-07T10:00:00Z', '2024-12-07T14:00:00Z');
    const inner = ['ph-aegidii', 'ph-alter-steinweg', 'ph-karstadt', 'ph-stubengasse', 'pp-hoersterplatz'];
    for (const place of inner) assert.match(noon.get(place) ?? '', /0/, place);
    const night = await shown(name, '2024-12-05T23:00:00Z', '2024-12-06T04:00:00Z');
    assert.match(night.get('pp-hoersterplatz') ?? '', /^c+$/);
    assert.match(night.get('pp-georgskommende') ?? '', /^c+$/);
    assert.doesNotMatch([...night.values()].join(''), /0/, 'no garage is full in the small hours');
  });

  test('before 2024, are full where they ran down to 0 and say nothing where they jumped there', async () => {
    const name = '2019-09-16_2019-10-06_parking_5min.csv.gz';
    const places = await shown(name, '2019-09-20T00:00:00Z', '2019-09-22T00:00:00Z');
    const slots = (place: string, from: number, to: number) =>
      (places.get(place) ?? '').slice(from * 4, to * 4);
    assert.match(slots('ph-karstadt', 24 + 11, 24 + 14), /^0+$/, 'Saturday from 13:00 to 16:00');
    assert.match(slots('ph-aegidii', 24 + 10, 24 + 12), /0{4}/);
    assert.match(slots('pp-hoersterplatz', 20.5, 24 + 5), /^\.+$/, 'a car park that is closed at night');
    assert.match(slots('ph-cineplex', 18.25, 24 + 18), /^\.+$/, 'a day of zeros after 195');
  });
});
