import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { round } from '../stats/unit-scale.ts';
import { BUSY_MEAN } from './pressure-weights.ts';
import { type Pressures, pressureShare } from './pressures.ts';

const none: Pressures = {
  crowd: null,
  transit: null,
  jam: null,
  rain: null,
  heat: null,
  air: null,
  parking: null,
};
const busy: Pressures = { crowd: 1, transit: 0.7, jam: 0.7, rain: 0.1, heat: 0.3, air: 0.1, parking: 0.7 };
const kinds = Object.keys(none) as (keyof Pressures)[];

test('the pressure of a busy hour is 1, whatever is measured of it', () => {
  assert.equal(round(BUSY_MEAN), 0.634);
  fc.assert(
    fc.property(fc.subarray(kinds, { minLength: 1 }), (measured) => {
      const known = Object.fromEntries(measured.map((kind) => [kind, busy[kind]]));
      assert.equal(round(pressureShare({ ...none, ...known }) ?? 0), 1);
    }),
  );
});

test('nothing measured is no pressure, not none', () => {
  assert.equal(pressureShare(none), null);
  assert.equal(pressureShare({ ...none, crowd: 0 }), 0);
});

test('where only the crowd is known it is the pressure', () => {
  assert.equal(pressureShare({ ...none, crowd: 0.4 }), 0.4);
});
