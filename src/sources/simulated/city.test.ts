import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pocketSignalKinds, type Signal, type SignalKind } from '../../domain/signals/signal.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { simulatedCity } from './city.ts';
import { pocket, singaporeTime, tinyCity } from './tiny-city.fixture.ts';

const start = singaporeTime('2026-01-01T00:00:00');
const anySlot = fc.integer({ min: 0, max: 2 * 365 * 96 }).map((n) => start + n * SLOT);

test('the same slot gives the same signals, in any order and in any instance', () => {
  fc.assert(
    fc.property(fc.array(anySlot, { minLength: 1, maxLength: 6 }), (slots) => {
      const once = simulatedCity(tinyCity());
      const asked = slots.map((slot) => once.signalsAt(slot));
      const afresh = slots.toReversed().map((slot) => simulatedCity(tinyCity()).signalsAt(slot));
      assert.deepEqual(asked, afresh.toReversed());
    }),
    { numRuns: 8 },
  );
});

test('walking through a day agrees with asking for a single slot of it', () => {
  const walking = simulatedCity(tinyCity());
  const walked = Array.from({ length: 192 }, (_, n) => walking.signalsAt(start + n * SLOT));
  for (const n of [191, 3, 97, 64]) {
    assert.deepEqual(simulatedCity(tinyCity()).signalsAt(start + n * SLOT), walked[n]);
  }
});

test('observe returns the signals of the slot, and the substrate is simulated', async () => {
  const city = simulatedCity(tinyCity());
  assert.equal(city.substrate, 'simulated');
  assert.deepEqual(await city.observe(start), city.signalsAt(start));
  assert.deepEqual(city.signalsAt(start + 7 * MINUTE), city.signalsAt(start));
});

test('a part of the city is observed as in the whole, with its visitors', async () => {
  const registry = tinyCity();
  const ids = registry.pockets.map(({ id }) => id);
  const committed = registry.outlets.map(({ id }) => ({ outlet_id: id, window_end: start + 3 * HOUR }));
  for (const part of [ids.slice(0, 1), ids.slice(1), []]) {
    const city = simulatedCity(registry);
    const some = city.part?.(new Set(part));
    for (const n of [0, 1, 40, 800]) {
      const slot = start + n * SLOT;
      const whole = await city.observe(slot, committed);
      assert.deepEqual(
        await some?.observe(slot, committed),
        whole.filter(({ pocket_id }) => part.includes(pocket_id)),
      );
    }
  }
});

test('the seed is that of the registry by default, and another seed gives another city', () => {
  const noon = start + 12 * HOUR;
  const registry = tinyCity();
  assert.deepEqual(simulatedCity(registry, 'tiny').signalsAt(noon), simulatedCity(registry).signalsAt(noon));
  const values = (seed: string) =>
    simulatedCity(registry, seed)
      .signalsAt(noon)
      .map(({ value }) => value);
  assert.notDeepEqual(values('tiny'), values('other'));
});

test('a pocket behaves the same whatever other pockets are in the registry', () => {
  const of = (signals: Signal[]) => signals.filter(({ pocket_id }) => pocket_id === 'office');
  const few = tinyCity({ pockets: tinyCity().pockets.slice(0, 2) });
  for (const n of [40, 800, 2000]) {
    const slot = start + n * SLOT;
    assert.deepEqual(of(simulatedCity(few).signalsAt(slot)), of(simulatedCity(tinyCity()).signalsAt(slot)));
  }
});

const bounds: Record<SignalKind, [number, number]> = {
  rain_mm: [0, 60],
  temperature_c: [21, 37],
  humidity_pct: [35, 100],
  pm25: [2, 300],
  footfall: [0, 8000],
  transit_crowding: [0, 1],
  traffic_speed_kmh: [4, 90],
  carpark_occupancy: [0, 1],
  crowd: [0, 1],
  outlet_activity: [0, 1],
  citizen_sense: [1, 12],
};
const whole: SignalKind[] = ['pm25', 'footfall', 'citizen_sense'];

test('every signal is within its bounds, received by its slot, and of a known pocket or outlet', () => {
  const registry = tinyCity();
  const city = simulatedCity(registry);
  const pockets = new Set(registry.pockets.map(({ id }) => id));
  const active = new Set(registry.outlets.filter((o) => o.active).map(({ id }) => id));
  fc.assert(
    fc.property(anySlot, (slot) => {
      for (const signal of city.signalsAt(slot)) {
        const { kind, value, observed_at, received_at } = signal;
        const [least, most] = bounds[kind];
        assert.ok(value >= least && value <= most, `${kind} ${value}`);
        assert.ok(!Object.is(value, -0));
        if (whole.includes(kind)) assert.ok(Number.isInteger(value), `${kind} ${value}`);
        assert.ok(value.toString().length <= 6, `${kind} ${value}`);
        assert.ok(observed_at < received_at && received_at <= slot);
        assert.ok(slot - observed_at <= 2.5 * HOUR);
        assert.match(signal.source, /^simulated:[a-z-]+$/);
        assert.ok(pockets.has(signal.pocket_id));
        assert.equal(signal.outlet_id !== undefined, kind === 'outlet_activity');
        assert.equal(signal.word !== undefined, kind === 'citizen_sense');
        if (signal.outlet_id !== undefined) assert.ok(active.has(signal.outlet_id));
      }
    }),
    { numRuns: 100 },
  );
});

test('a slot has each measurement at most once', () => {
  const city = simulatedCity(tinyCity());
  for (let n = 0; n < 60; n++) {
    const keys = city
      .signalsAt(start + n * 37 * SLOT)
      .map(({ kind, pocket_id, outlet_id, word }) => `${kind} ${pocket_id} ${outlet_id} ${word}`);
    assert.equal(new Set(keys).size, keys.length);
  }
});

test('fine dust is measured on the hour and repeated until the next', () => {
  const city = simulatedCity(tinyCity());
  const dust = (slot: number) => city.signalsAt(slot).find(({ kind }) => kind === 'pm25') as Signal;
  const ten = singaporeTime('2026-01-08T10:00:00');
  assert.equal(dust(ten).observed_at, ten - HOUR);
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => dust(ten + n * SLOT)),
    Array(4).fill(dust(ten + SLOT)),
  );
  assert.equal(dust(ten + SLOT).observed_at, ten);
});

test('a city of one pocket, or of none, is served too', () => {
  assert.deepEqual(simulatedCity(tinyCity({ pockets: [], outlets: [] })).signalsAt(start), []);
  const one = tinyCity({ pockets: [pocket('only', 1.3, 103.8)], outlets: [], holidays: [] });
  const kinds = simulatedCity(one)
    .signalsAt(start + 12 * HOUR)
    .map(({ kind }) => kind);
  assert.ok(pocketSignalKinds.filter((kind) => kinds.includes(kind)).length >= 6);
});
