import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addWindows, calmHeld, heldShare, noWindows, type WindowOutcome } from './window-record.ts';

const hour = (held: boolean, chance = 0.9): WindowOutcome => ({ minutes: 60, chance, held });

test('held: no two successive readings outside a calm state', () => {
  const table: [calm: string, held: boolean][] = [
    ['', true],
    ['.', true],
    ['x', true],
    ['xx', false],
    ['x.x.x', true],
    ['..xx.', false],
    ['....xx', false],
  ];
  for (const [calm, held] of table) assert.equal(calmHeld([...calm].map((one) => one === '.')), held, calm);
});

test('what a day adds counts from the next day on', () => {
  const before = heldShare(noWindows, 60, 0.9);
  const monday = addWindows(noWindows, '2026-11-09', Array(20).fill(hour(false)));
  assert.equal(heldShare(monday, 60, 0.9), before);
  const tuesday = addWindows(monday, '2026-11-10', []);
  assert.equal(heldShare(tuesday, 60, 0.9), before / 2, 'as many as the prior counts for');
  assert.equal(heldShare(tuesday, 90, 0.9), heldShare(noWindows, 90, 0.9), 'of that length alone');
  assert.equal(addWindows(tuesday, '2026-11-10', []), tuesday);
});

test('a chance between two levels counts for both', () => {
  const later = addWindows(addWindows(noWindows, 'a', [hour(false, 0.85)]), 'b', []);
  for (const chance of [0.8, 0.9]) assert.ok(heldShare(later, 60, chance) < heldShare(noWindows, 60, chance));
  assert.equal(heldShare(later, 60, 0.7), heldShare(noWindows, 60, 0.7));
});

test('older windows lose weight, and the share stays within 0 and 1', () => {
  let record = noWindows;
  for (let day = 0; day < 60; day++)
    record = addWindows(record, String(day), Array(100).fill(hour(day < 30)));
  assert.ok(heldShare(record, 60, 0.9) < 0.3, 'after a month of windows that did not hold');
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }))), (all) => {
      const added = all.map(([held, chance]) => hour(held, chance));
      const share = heldShare(addWindows(addWindows(noWindows, 'a', added), 'b', []), 60, 0.75);
      assert.ok(share >= 0 && share <= 1);
    }),
  );
});
