import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pocket } from '../city/city.ts';
import { MINUTE } from '../time/slot.ts';
import { type PocketSignal, pocketSignalKinds, pocketSignals, type Signal } from './signal.ts';
import { observePockets, snapshotCompleteness } from './snapshot.ts';

const slot = Date.parse('2026-11-11T04:00:00Z');
const pocket = { id: 'here', expects: pocketSignalKinds } as Pocket;
const signal = (kind: PocketSignal, value: number, minutesAgo: number, pocket_id = 'here'): Signal => ({
  kind,
  pocket_id,
  value,
  source: 'test:gauge',
  observed_at: slot - minutesAgo * MINUTE,
  received_at: slot - minutesAgo * MINUTE + 1000,
});
const only = (...signals: Signal[]) => {
  const [snapshot] = observePockets([pocket], slot, signals);
  assert.ok(snapshot);
  return snapshot;
};

test('completeness weighs each expected signal as a reading does', () => {
  const completeness = (...signals: Signal[]) =>
    snapshotCompleteness(pocketSignalKinds, only(...signals).fresh, 0);
  const all = pocketSignalKinds.map((kind) => signal(kind, 1, 1));
  const without = (...kinds: PocketSignal[]) =>
    all.filter(({ kind }) => !kinds.includes(kind as PocketSignal));
  assert.equal(completeness(...all), 1);
  assert.equal(completeness(...without('pm25', 'carpark_occupancy')), 0.86);
  assert.equal(completeness(...without('footfall')), 0.72);
  assert.equal(completeness(), 0);
});

test('a crowd is there by the share of its sensors that report', () => {
  const nothing = new Set<PocketSignal>();
  assert.equal(snapshotCompleteness(['crowd'], nothing, 1), 1);
  assert.equal(snapshotCompleteness(['crowd'], nothing, 1 / 3), 0.333);
  assert.equal(snapshotCompleteness(['crowd', 'rain_mm'], new Set(['rain_mm'] as const), 0.5), 0.667);
  assert.equal(snapshotCompleteness([], nothing, 1), 0);
});

test('each signal stays fresh exactly as long as its kind allows', () => {
  for (const kind of pocketSignalKinds) {
    const limit = pocketSignals[kind].fresh_minutes;
    assert.equal(only(signal(kind, 7, limit)).values[kind], 7, kind);
    const stale = only(signal(kind, 7, limit + 1 / 60));
    assert.equal(stale.values[kind], null, kind);
    assert.deepEqual(
      stale.provenance.map(({ kind, fresh }) => [kind, fresh]),
      [[kind, false]],
    );
  }
});

test('the newest signal counts, one from after the slot or of another pocket does not', () => {
  const taken = only(
    signal('rain_mm', 1, 9),
    signal('rain_mm', 2, 3),
    signal('rain_mm', 3, 6),
    signal('rain_mm', 4, -1),
    signal('rain_mm', 5, 1, 'elsewhere'),
  );
  assert.equal(taken.values.rain_mm, 2);
});

test('signals of outlets and senses do not count towards completeness', () => {
  const activity: Signal = { ...signal('rain_mm', 0.4, 1), kind: 'outlet_activity', outlet_id: 'x' };
  assert.equal(only(activity).fresh.size, 0);
});

const counter: Signal = {
  ...signal('rain_mm', 40, 10),
  kind: 'crowd',
  sensor: { id: 'bikes/1/count', kind: 'bikes/count', points: 'up', proxy: false },
};

test('sensors of the crowd are told apart, and a closed one from one with a value', () => {
  const parking = { id: 'parking/2/free', kind: 'parking/free', points: 'down', proxy: true } as const;
  const both = only(counter, { ...counter, sensor: parking });
  assert.deepEqual(both.sensors, [
    { sensor: 'bikes/1/count', value: 40, kind: 'bikes/count', points: 'up', proxy: false },
    { sensor: 'parking/2/free', value: 40, kind: 'parking/free', points: 'down', proxy: true },
  ]);
  const closed = only(counter, { ...counter, sensor: parking, value: 0, closed: true });
  assert.deepEqual([closed.sensors.length, closed.closed], [1, ['parking/2/free']]);
});

test('a feed may say how long its values stay fresh', () => {
  const expecting = { ...pocket, expects: ['crowd'] } as Pocket;
  const hourly = { ...counter, observed_at: slot - 70 * MINUTE };
  assert.equal(observePockets([expecting], slot, [hourly])[0]?.sensors.length, 0);
  assert.equal(observePockets([expecting], slot, [{ ...hourly, fresh_minutes: 90 }])[0]?.sensors.length, 1);
});
