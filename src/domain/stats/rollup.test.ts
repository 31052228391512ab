import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, SLOT, slotStart } from '../time/slot.ts';
import {
  addSums,
  meanFromSum,
  PERIOD,
  periodStart,
  roundedShare,
  splitSpan,
  sumRows,
  zeroSums,
} from './rollup.ts';

const at = (clock: string) => Date.parse(`2026-11-10T${clock}:00+08:00`);

test('a span: the periods that are rolled up, and the slots at its ends', () => {
  const span = { from: at('07:15'), to: at('12:15') };
  assert.deepEqual(splitSpan(span, at('20:00')), {
    periods: { from: at('07:30'), to: at('12:00') },
    ends: [
      { from: at('07:15'), to: at('07:30') },
      { from: at('12:00'), to: at('12:15') },
    ],
  });
  assert.deepEqual(splitSpan(span, at('09:00')), {
    periods: { from: at('07:30'), to: at('09:00') },
    ends: [
      { from: at('07:15'), to: at('07:30') },
      { from: at('09:00'), to: at('12:15') },
    ],
  });
  assert.deepEqual(splitSpan({ from: at('07:30'), to: at('12:00') }, at('12:00')).ends, []);
});

test('a span without a whole period, or before anything was rolled up, is counted by its rows', () => {
  const short = { from: at('07:15'), to: at('07:45') };
  assert.deepEqual(splitSpan(short, at('20:00')), { periods: null, ends: [short] });
  const span = { from: at('07:00'), to: at('12:00') };
  assert.deepEqual(splitSpan(span, 0), { periods: null, ends: [span] });
  assert.deepEqual(splitSpan({ from: at('12:00'), to: at('07:00') }, at('20:00')), {
    periods: null,
    ends: [],
  });
});

test('for any span, each slot is in exactly one part', () => {
  const slot = fc.integer({ min: at('00:00') - 90 * DAY, max: at('00:00') }).map(slotStart);
  fc.assert(
    fc.property(slot, fc.nat(3000), slot.map(periodStart), (from, slots, rolledUpTo) => {
      const to = from + slots * SLOT;
      const { periods, ends } = splitSpan({ from, to }, rolledUpTo);
      if (periods) {
        assert.ok(periods.from % PERIOD === 0 && periods.to % PERIOD === 0 && periods.to <= rolledUpTo);
        assert.ok(periods.from < periods.to);
      }
      const parts = [...(periods ? [periods] : []), ...ends].sort((a, b) => a.from - b.from);
      let next = from;
      for (const part of parts) {
        assert.equal(part.from, next);
        assert.ok(part.to > part.from);
        next = part.to;
      }
      assert.equal(next, to);
    }),
  );
});

test('days of UTC, of Singapore and of zones of half an hour are made of whole periods', () => {
  for (const offset of [0, 8 * HOUR, 5.5 * HOUR, -3.5 * HOUR]) {
    const midnight = Date.parse('2026-11-10T00:00:00Z') - offset;
    assert.equal(periodStart(midnight), midnight);
  }
});

test('sums are added, subtracted and totalled by name', () => {
  const names = ['readings', 'due'] as const;
  const sums = zeroSums(names);
  addSums(sums, { readings: 5, due: 2 }, names);
  addSums(sums, { readings: 2 }, names, -1);
  assert.deepEqual(sums, { readings: 3, due: 2 });
  assert.equal(sumRows([sums, sums], 'readings'), 6);
});

test('means and shares of nothing are null', () => {
  assert.deepEqual([meanFromSum(15_000, 2), roundedShare(2, 3)], [0.75, 0.667]);
  assert.deepEqual([meanFromSum(0, 0), roundedShare(0, 0)], [null, null]);
});
