import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { busyLevel, usualExtremes } from './usual-week.ts';

/** A day of 24 hours with one usual calm, but for the hours that are given. */
const day = (usual_calm: number | null, others: Record<number, number | null> = {}) =>
  Array.from({ length: 24 }, (_, hour) => ({
    hour,
    usual_calm: hour in others ? (others[hour] ?? null) : usual_calm,
  }));

describe('how busy it usually is', () => {
  test('is the opposite of the calm level', () => {
    assert.deepEqual([0, 0.38, 0.9, 1].map(busyLevel), [1, 0.62, 0.1, 0]);
  });

  test('the example of docs/formulas.md: busiest at noon and in the evening, calmest in the morning', () => {
    const usual = day(0.5, { 7: 0.6, 8: 0.56, 12: 0.3, 13: 0.26, 19: 0.39 });
    assert.deepEqual(usualExtremes(usual), {
      busiest: {
        band: 'busy',
        spans: [
          { from: 12, to: 14 },
          { from: 19, to: 20 },
        ],
      },
      calmest: { band: 'calm', spans: [{ from: 7, to: 9 }] },
    });
  });

  test('one band all day is both; the night does not count', () => {
    const all = { band: 'mixed', spans: [{ from: 7, to: 23 }] };
    assert.deepEqual(usualExtremes(day(0.5, { 2: 0.9, 23: 0.1 })), { busiest: all, calmest: all });
  });

  test('an hour that is not known ends a span; a day without any has no extremes', () => {
    const parted = usualExtremes(day(0.5, { 10: null }))?.busiest.spans;
    assert.deepEqual(parted, [
      { from: 7, to: 10 },
      { from: 11, to: 23 },
    ]);
    assert.equal(usualExtremes(day(null)), null);
    assert.equal(usualExtremes(day(null, { 3: 0.9 })), null, 'the night alone says nothing');
  });
});
