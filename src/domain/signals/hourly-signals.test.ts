import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SLOT } from '../time/slot.ts';
import { hourlySignals, type MeasuredSlot } from './hourly-signals.ts';

const hour = { from: 0, to: HOUR };
const slots = (measured: readonly Partial<MeasuredSlot['values'] & { crowd: number | null }>[]) =>
  measured.map(
    ({ crowd = null, ...values }, n): MeasuredSlot => ({
      slot: n * SLOT,
      crowd,
      values: { rain_mm: null, temperature_c: null, traffic_speed_kmh: null, footfall: null, ...values },
    }),
  );

test('rain is added up, the others are means of what was measured', () => {
  const measured = slots([
    { rain_mm: 0.2, temperature_c: 28, traffic_speed_kmh: 30 },
    { rain_mm: 0.4, temperature_c: 29 },
    {},
    { rain_mm: 0, temperature_c: 29, traffic_speed_kmh: 40 },
    { rain_mm: 9 },
  ]);
  assert.deepEqual(hourlySignals(measured, [hour]), [
    { at: 0, rain_mm: 0.6, temperature_c: 28.7, traffic_speed_kmh: 35, people: null, crowd: null },
  ]);
  assert.deepEqual(hourlySignals([], [hour]), [
    { at: 0, rain_mm: null, temperature_c: null, traffic_speed_kmh: null, people: null, crowd: null },
  ]);
});

test('a count under five in one quarter hour withholds the mean, which would give it back', () => {
  const people = (counts: readonly (number | null)[]) =>
    hourlySignals(slots(counts.map((footfall) => ({ footfall, crowd: 0.5 }))), [hour])[0];
  assert.equal(people([400, 410, 420])?.people, 410);
  assert.equal(people([400, 4, 420])?.people, null);
  assert.equal(people([5, 5])?.people, 5);
  assert.equal(people([null])?.people, null);
});

test('the crowd is shown only in hours in which no people were counted', () => {
  const crowd = (counts: readonly (number | null)[]) =>
    hourlySignals(slots(counts.map((footfall) => ({ footfall, crowd: 0.5 }))), [hour])[0]?.crowd;
  assert.equal(crowd([null, null]), 0.5);
  assert.equal(crowd([3, null]), null);
  assert.equal(crowd([400]), null);
});
