import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Character } from '../city/city.ts';
import { computePressures } from '../signals/pressures.ts';
import { fixedScales } from '../signals/scales.ts';
import { pocketSignalKinds } from '../signals/signal.ts';
import type { Snapshot } from '../signals/snapshot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type AtmosphereInput, computeAtmosphere } from './atmosphere.ts';
import { primaryStates } from './primary-state.ts';

const character = { office: 0.5 } as Character;
const PEAK = 1000;
const quiet: Snapshot['values'] = {
  rain_mm: 0,
  temperature_c: 28,
  humidity_pct: 75,
  pm25: 12,
  footfall: 100,
  transit_crowding: 0.1,
  traffic_speed_kmh: 45,
  carpark_occupancy: 0.3,
};
const at = (clock: string, changed: Partial<Snapshot['values']> = {}, rest = false): AtmosphereInput => {
  const values = { ...quiet, ...changed };
  const known = pocketSignalKinds.filter((kind) => values[kind] !== null).length;
  const hour = singapore.hourOfDay(Date.parse(`2026-11-11T${clock}:00+08:00`));
  const crowd = values.footfall === null ? null : values.footfall / PEAK;
  const scales = fixedScales;
  const completeness = known / pocketSignalKinds.length;
  const pressures = computePressures({ values, crowd }, scales);
  return { hour, rest, completeness, pressures, scales, character };
};
const read = (clock: string, changed: Partial<Snapshot['values']> = {}, rest = false) => {
  const atmosphere = computeAtmosphere(at(clock, changed, rest));
  assert.ok(atmosphere);
  return atmosphere;
};

test('the worked example of docs/formulas.md', () => {
  const lunch = { footfall: 800, transit_crowding: 0.5, traffic_speed_kmh: 28.5, rain_mm: 0 };
  const reading = read('12:45', { ...lunch, temperature_c: 32, carpark_occupancy: 0.8 });
  assert.deepEqual(reading, {
    stress: 0.698,
    calm: 0.201,
    social_energy: 0.299,
    productive: 0.296,
    primary_state: 'tense-crowded',
  });
});

test('each state occurs at a typical hour and weather', () => {
  const busy = { footfall: 700, transit_crowding: 0.4, traffic_speed_kmh: 32 };
  const table = [
    ['calm-productive', read('10:30', { footfall: 250 })],
    ['busy-productive', read('10:30', busy)],
    ['calm-social', read('20:00', { footfall: 350 })],
    ['lively-social', read('20:00', busy)],
    ['calm-restful', read('04:00')],
    ['tense-crowded', read('18:30', { footfall: 1100, transit_crowding: 0.9, traffic_speed_kmh: 15 })],
    ['rain-subdued', read('15:00', { rain_mm: 3 })],
    ['mixed-transitional', read('07:15', { ...busy, footfall: 600, transit_crowding: 0.8 })],
  ] as const;
  for (const [state, reading] of table) assert.equal(reading.primary_state, state);
  assert.deepEqual(table.map(([state]) => state).sort(), [...primaryStates].sort());
});

test('a rest day is less productive and more social', () => {
  const weekday = read('11:00', { footfall: 500 });
  const sunday = read('11:00', { footfall: 500 }, true);
  assert.ok(sunday.productive < weekday.productive && sunday.social_energy > weekday.social_energy);
});

test('too few measurements give no reading, a single missing one does', () => {
  const nothing = Object.fromEntries(pocketSignalKinds.map((kind) => [kind, null])) as Snapshot['values'];
  assert.equal(computeAtmosphere(at('10:00', { ...nothing, rain_mm: 0 })), null);
  assert.ok(computeAtmosphere(at('10:00', { ...nothing, rain_mm: 0, footfall: 300 })));
});

const maybe = (low: number, high: number) => fc.option(fc.double({ min: low, max: high, noNaN: true }));
const values = fc.record({
  rain_mm: maybe(0, 40),
  temperature_c: maybe(20, 38),
  humidity_pct: maybe(30, 100),
  pm25: maybe(0, 400),
  footfall: maybe(0, 5000),
  transit_crowding: maybe(0, 1),
  traffic_speed_kmh: maybe(0, 90),
  carpark_occupancy: maybe(0, 1),
});
const clocks = fc.integer({ min: 0, max: 95 }).map((i) => {
  const [hour, minute] = [Math.floor(i / 4), (i % 4) * 15].map((n) => String(n).padStart(2, '0'));
  return `${hour}:${minute}`;
});

test('for any measurements, the qualities lie in 0..1', () => {
  fc.assert(
    fc.property(values, clocks, fc.boolean(), (changed, clock, rest) => {
      const reading = computeAtmosphere(at(clock, changed, rest));
      if (!reading) return;
      const { primary_state, ...qualities } = reading;
      for (const quality of Object.values(qualities)) assert.ok(quality >= 0 && quality <= 1);
      assert.ok(primaryStates.includes(primary_state));
    }),
  );
});

test('more of any pressure never lowers stress nor raises calm', () => {
  const pressures = [
    'footfall',
    'transit_crowding',
    'rain_mm',
    'pm25',
    'carpark_occupancy',
    'temperature_c',
  ] as const;
  fc.assert(
    fc.property(
      values,
      clocks,
      fc.constantFrom(...pressures),
      fc.double({ min: 1, max: 2, noNaN: true }),
      (changed, clock, kind, more) => {
        const value = changed[kind];
        const before = computeAtmosphere(at(clock, changed));
        if (value === null || !before) return;
        const after = computeAtmosphere(at(clock, { ...changed, [kind]: value * more }));
        assert.ok(after && after.stress >= before.stress && after.calm <= before.calm);
      },
    ),
  );
});
