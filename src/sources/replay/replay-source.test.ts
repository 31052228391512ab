import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pocket } from '../../domain/city/city.ts';
import type { Feed } from '../core/feed.ts';
import type { Measurement } from '../core/measurement.ts';
import { mergeByTime, type ReplayCounts, replaySource } from './replay-source.ts';

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
  const counts: ReplayCounts = { used: 0, unused: new Map() };
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
