import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, SLOT, slotStart } from '../time/slot.ts';
import type { Span } from '../time/window.ts';
import { timeZone } from '../time/zone.ts';
import { changingZones, singapore } from '../time/zones.fixture.ts';
import {
  addSums,
  isDayEnd,
  meanFromSum,
  PERIOD,
  periodStart,
  roundedShare,
  splitSpan,
  sumRows,
  wholePeriods,
  zeroSums,
} from './rollup.ts';

const at = (clock: string) => Date.parse(`2026-11-10T${clock}:00+08:00`);

/** Of a table that has the totals of every half hour up to `rolledUpTo`. */
const splitAtHalfHours = (span: Span, rolledUpTo: number) => splitSpan(span, wholePeriods(span, rolledUpTo));

test('a span: the periods that are rolled up, and the slots at its ends', () => {
  const span = { from: at('07:15'), to: at('12:15') };
  assert.deepEqual(splitAtHalfHours(span, at('20:00')), {
    totals: { from: at('07:30'), to: at('12:00') },
    added: [
      { from: at('07:15'), to: at('07:30') },
      { from: at('12:00'), to: at('12:15') },
    ],
    removed: [],
  });
  assert.deepEqual(splitAtHalfHours(span, at('09:00')), {
    totals: { from: at('07:30'), to: at('09:00') },
    added: [
      { from: at('07:15'), to: at('07:30') },
      { from: at('09:00'), to: at('12:15') },
    ],
    removed: [],
  });
  assert.deepEqual(splitAtHalfHours({ from: at('07:30'), to: at('12:00') }, at('12:00')).added, []);
});

test('a span without a whole period, or before anything was rolled up, is counted by its rows', () => {
  const short = { from: at('07:15'), to: at('07:45') };
  const byRows = (span: Span) => ({ totals: null, added: [span], removed: [] });
  assert.deepEqual(splitAtHalfHours(short, at('20:00')), byRows(short));
  const span = { from: at('07:00'), to: at('12:00') };
  assert.deepEqual(splitAtHalfHours(span, 0), byRows(span));
  assert.deepEqual(splitAtHalfHours({ from: at('12:00'), to: at('07:00') }, at('20:00')), {
    totals: null,
    added: [],
    removed: [],
  });
});

test('where totals are of days, the rows between them and the ends of the span are added or removed', () => {
  const span = { from: at('07:15'), to: at('23:15') };
  const near = { from: at('00:00'), to: at('00:00') + DAY };
  assert.deepEqual(splitSpan({ from: span.from, to: span.to + DAY }, { ...near, to: near.to + DAY }), {
    totals: { from: near.from, to: near.to + DAY },
    added: [],
    removed: [
      { from: near.from, to: span.from },
      { from: span.to + DAY, to: near.to + DAY },
    ],
  });
  // Both sides of an hour have more rows than the hour.
  const hour = { from: at('09:00'), to: at('10:00') };
  assert.deepEqual(splitSpan(hour, { from: near.from, to: near.from }).added, [hour]);
});

test('for any span and any totals near it, each slot counts once and no other slot does', () => {
  const slot = fc.integer({ min: at('00:00') - 90 * DAY, max: at('00:00') }).map(slotStart);
  const shift = fc.integer({ min: -96, max: 96 });
  fc.assert(
    fc.property(slot, fc.nat(3000), shift, shift, slot, (from, slots, before, after, other) => {
      const span = { from, to: from + slots * SLOT };
      const near = { from: from + before * SLOT, to: span.to + after * SLOT };
      const { totals, added, removed } = splitSpan(span, near);
      const has = (time: number) => (one: Span) => one.from <= time && time < one.to;
      const edges = [span, near].flatMap((one) => [one.from - SLOT, one.from, one.to - SLOT, one.to]);
      for (const time of [...edges, other]) {
        const times = [...(totals ? [totals] : []), ...added].filter(has(time)).length;
        assert.equal(times - removed.filter(has(time)).length, has(time)(span) ? 1 : 0);
      }
      const counted = [...added, ...removed].reduce((sum, one) => sum + one.to - one.from, 0);
      assert.ok(counted <= Math.min(span.to - span.from, Math.abs(before * SLOT) + Math.abs(after * SLOT)));
    }),
  );
});

test('for any span, each slot is in exactly one part', () => {
  const slot = fc.integer({ min: at('00:00') - 90 * DAY, max: at('00:00') }).map(slotStart);
  fc.assert(
    fc.property(slot, fc.nat(3000), slot.map(periodStart), (from, slots, rolledUpTo) => {
      const to = from + slots * SLOT;
      const { totals, added, removed } = splitAtHalfHours({ from, to }, rolledUpTo);
      if (totals) {
        assert.ok(totals.from % PERIOD === 0 && totals.to % PERIOD === 0 && totals.to <= rolledUpTo);
        assert.ok(totals.from < totals.to);
      }
      assert.deepEqual(removed, []);
      const parts = [...(totals ? [totals] : []), ...added].sort((a, b) => a.from - b.from);
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

test('days of every zone and of UTC begin within a period of a day end, also where clocks change', () => {
  for (const zone of [singapore, ...changingZones, timeZone('Asia/Kathmandu')]) {
    const from = Date.parse('2026-10-20T00:00:00Z');
    const ends = Array.from({ length: 365 * 48 }, (_, n) => from + n * PERIOD).filter((end) =>
      isDayEnd(end, zone),
    );
    const days = Array.from({ length: 367 }, (_, n) => [
      from + n * DAY,
      periodStart(zone.startOfDay(from + DAY / 2, n)),
    ]);
    const expected = [...new Set(days.flat())].filter((end) => end >= from && end < from + 365 * DAY);
    assert.deepEqual(
      ends,
      expected.sort((a, b) => a - b),
      zone.name,
    );
  }
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
