import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metresBetween } from './distance.ts';

test('distances on the ground, also across 180°', () => {
  const cathedral = { lat: 51.963, lng: 7.6255 };
  assert.equal(metresBetween(cathedral, cathedral), 0);
  const station = metresBetween(cathedral, { lat: 51.9567, lng: 7.6347 });
  assert.ok(station > 930 && station < 960, String(station));
  assert.equal(Math.round(metresBetween({ lat: 0, lng: 179.999 }, { lat: 0, lng: -179.999 })), 222);
  assert.equal(Math.round(metresBetween({ lat: 60, lng: 10 }, { lat: 60, lng: 10.01 })), 556);
});
