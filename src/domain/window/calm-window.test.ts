import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MINUTE, SLOT } from '../time/slot.ts';
import { calmWindow, HELD_SHARE, judgedAt, type Outlook, windowChances } from './calm-window.ts';
import { meanUsual } from './mean-usual.ts';
import { noWindows } from './window-record.ts';

const at = Date.parse('2026-11-11T15:00:00+08:00');
const ahead = (...chances: number[]): Outlook[] =>
  chances.map((calm_probability, n) => ({
    minutes: 60 * n,
    calm_probability,
    expected_calm: 0.8 - 0.05 * n,
  }));

test('the worked example of docs/formulas.md', () => {
  const expected = [0.8, 0.75, 0.7, 0.6];
  const outlook = ahead(0.786, 0.9, 0.8, 0.6).map((one, n) => ({ ...one, expected_calm: expected[n] ?? 0 }));
  assert.deepEqual(
    windowChances(outlook).map((chance) => Math.round(1000 * chance) / 1000),
    [0.786, 0.786, 0.786, 0.7, 0.6],
  );
  assert.deepEqual(calmWindow(at, outlook, noWindows), {
    window_ends_at: at + 90 * MINUTE,
    window_held_share: 0.867,
    window_expected_calm: 0.763,
  });
});

test('where calm is not likely now, or such windows do not hold, there is none', () => {
  assert.deepEqual(windowChances(ahead(0.699, 1, 1, 1)), []);
  const { window_ends_at, window_held_share } = calmWindow(at, ahead(0.699, 1, 1, 1), noWindows);
  assert.deepEqual([window_ends_at, window_held_share], [null, null]);
  const brief = calmWindow(at, ahead(0.7, 0.5, 0.5, 0.5), noWindows);
  assert.equal(brief.window_ends_at, null);
  const share = brief.window_held_share ?? 0;
  assert.ok(share > 0 && share < HELD_SHARE);
  assert.equal(calmWindow(at, ahead(0.9), noWindows).window_ends_at, null, 'without forecasts');
});

test('it reaches no further than the forecasts', () => {
  assert.equal(calmWindow(at, ahead(1, 1), noWindows).window_ends_at, at + 60 * MINUTE);
  const long = calmWindow(at, ahead(1, 1, 1, 1), noWindows).window_ends_at ?? 0;
  assert.equal(long, at + 180 * MINUTE);
});

test('judged at its end, else after an hour', () => {
  assert.equal(judgedAt(at, at + 90 * MINUTE), at + 90 * MINUTE);
  assert.equal(judgedAt(at, null), at + 60 * MINUTE);
});

test('higher chances never end a window earlier', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const ends = (chances: number[]) => calmWindow(at, ahead(...chances), noWindows).window_ends_at ?? at;
  fc.assert(
    fc.property(fc.tuple(chance, chance, chance, chance), chance, (chances, more) => {
      assert.ok(ends(chances.map((one) => Math.min(1, one + more))) >= ends(chances));
    }),
  );
});

test('the usual of a window is the mean of its quarter hours, and unknown where one of them is', () => {
  const usual = (time: number) => (time < at + 60 * MINUTE ? 0.4 : 0.6);
  assert.equal(meanUsual(at, at + 60 * MINUTE, usual), 0.44);
  assert.equal(meanUsual(at, at + 90 * MINUTE, usual), 0.486);
  assert.equal(
    meanUsual(at, at + 60 * MINUTE, (time) => (time === at + SLOT ? null : 0.5)),
    null,
  );
});
