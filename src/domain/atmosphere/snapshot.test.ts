import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pocket } from '../city/city.ts';
import { MINUTE } from '../time/slot.ts';
import { type PocketSignal, pocketSignalKinds, pocketSignals, type Signal } from './signal.ts';
import { observePockets } from './snapshot.ts';

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

test('completeness is the share of expected signals that are fresh', () => {
  const all = pocketSignalKinds.map((kind) => signal(kind, 1, 1));
  assert.equal(only(...all).completeness, 1);
  assert.equal(only(...all.slice(0, 6)).completeness, 6 / 8);
  assert.equal(only().completeness, 0);
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
  assert.equal(only(activity).completeness, 0);
});

const counter: Signal = {
  ...signal('rain_mm', 40, 10),
  kind: 'crowd',
  sensor: { id: 'bikes/1/count', kind: 'bikes/count', points: 'up', proxy: false },
};

test('a pocket expects what it lists, and any fresh sensor is a signal of its crowd', () => {
  const expecting = { ...pocket, expects: ['temperature_c', 'crowd'] } as Pocket;
  const observed = (...signals: Signal[]) => observePockets([expecting], slot, signals)[0];
  assert.equal(observed(signal('rain_mm', 1, 1))?.completeness, 0);
  assert.equal(observed(signal('temperature_c', 20, 1))?.completeness, 0.5);
  const both = observed(signal('temperature_c', 20, 1), counter, {
    ...counter,
    sensor: { id: 'parking/2/free', kind: 'parking/free', points: 'down', proxy: true },
  });
  assert.equal(both?.completeness, 1);
  assert.deepEqual(both?.sensors, [
    { sensor: 'bikes/1/count', value: 40, points: 'up', proxy: false },
    { sensor: 'parking/2/free', value: 40, points: 'down', proxy: true },
  ]);
});

test('a feed may say how long its values stay fresh', () => {
  const expecting = { ...pocket, expects: ['crowd'] } as Pocket;
  const hourly = { ...counter, observed_at: slot - 70 * MINUTE };
  assert.equal(observePockets([expecting], slot, [hourly])[0]?.sensors.length, 0);
  assert.equal(observePockets([expecting], slot, [{ ...hourly, fresh_minutes: 90 }])[0]?.sensors.length, 1);
});
