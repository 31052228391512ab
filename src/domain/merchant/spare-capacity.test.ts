import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Signal } from '../signals/signal.ts';
import { SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { outletActivity, pocketSpareCapacity, spareCapacity } from './spare-capacity.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const day = { opens_at: '09:00', closes_at: '18:00' };
const evening = { opens_at: '18:00', closes_at: '02:00' };

test('what an outlet could offer: its unused share while it is open by its hours and somebody is in it', () => {
  for (const [activity, spare] of [
    [null, null],
    [0, null],
    [0.25, 0.75],
    [1, 0],
    [1.2, 0],
  ] as const) {
    assert.equal(spareCapacity(day, activity, noon, singapore), spare);
    assert.equal(spareCapacity(evening, activity, noon, singapore), null);
  }
});

test('a pocket averages its open, counted, active outlets only', () => {
  const outlet = (id: string, pocket_id: string, hours = day, active = true) => ({
    ...{ id, pocket_id, active, ...hours },
  });
  const outlets = [
    outlet('half', 'a'),
    outlet('empty', 'a'),
    outlet('closed', 'a', evening),
    outlet('closed-but-counted', 'a', evening),
    outlet('uncounted', 'a'),
    outlet('inactive', 'a', day, false),
    outlet('bar', 'b', evening),
  ];
  const activity = new Map(
    Object.entries({ half: 0.5, empty: 0, closed: 0, 'closed-but-counted': 0.1, inactive: 0, bar: 0.4 }),
  );
  assert.deepEqual(pocketSpareCapacity(outlets, activity, noon, singapore), new Map([['a', 0.75]]));
});

test('the first recent signal of an outlet counts', () => {
  const signal = (outlet_id: string, value: number, age: number): Signal => ({
    ...{ kind: 'outlet_activity', pocket_id: 'a', outlet_id, value, source: 'test' },
    ...{ observed_at: noon - age, received_at: noon },
  });
  const signals = [
    signal('a', 0.9, 2 * SLOT + 1),
    signal('a', 0.2, 2 * SLOT),
    signal('a', 0.3, 0),
    signal('b', 0, 0),
    { ...signal('c', 5, 0), kind: 'footfall' as const },
  ];
  assert.deepEqual(outletActivity(signals, noon), new Map(Object.entries({ a: 0.2, b: 0 })));
});
