import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, MINUTE } from '../time/slot.ts';
import { laterWindow } from './later-window.ts';
import { noWindows } from './window-record.ts';

const slot = 1_000 * HOUR;
const ahead = (...chances: number[]) =>
  chances.map((calm_probability, n) => ({ minutes: 60 * n, calm_probability, expected_calm: 0.6 }));

test('the first start from which calm is likely for an hour or more', () => {
  assert.deepEqual(laterWindow(slot, ahead(0.2, 0.9, 0.9, 0.85), noWindows), {
    basis: 'forecast',
    starts_at: slot + HOUR,
    ends_at: slot + 3 * HOUR,
    calm_probability: 0.9,
    held_share: 0.89,
  });
  assert.deepEqual(
    laterWindow(slot, ahead(0.2, 0.6, 0.8, 0.95), noWindows)?.starts_at,
    slot + 2 * HOUR,
    'not where it is only as likely as not',
  );
  assert.equal(laterWindow(slot, ahead(0.2, 0.3, 0.4, 0.95), noWindows), null, 'the forecasts end there');
  assert.equal(laterWindow(slot, ahead(0.2), noWindows), null);
  assert.equal(laterWindow(slot, ahead(0.2, 0.9), noWindows), null, 'nothing is known beyond its start');
  assert.equal(laterWindow(slot, ahead(0.2, 0.95, 0.75), noWindows)?.ends_at, slot + 2 * HOUR);
  assert.ok((laterWindow(slot, ahead(0.2, 0.95, 0.75), noWindows)?.held_share ?? 0) * MINUTE > 0);
});
