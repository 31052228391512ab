import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { voiceFaults } from '../text/voice.ts';
import { sustainabilityKinds } from './sustainability.ts';
import { inferredTotals, sustainabilityText, sustainabilityTotals } from './sustainability-totals.ts';

test('each kind has its own total, and all of them count in the amount', () => {
  assert.deepEqual(
    sustainabilityTotals([
      { kind: 'idle_reclaimed', magnitude: 0.1, value_cents: 101 },
      { kind: 'idle_reclaimed', magnitude: 0.2, value_cents: 1 },
      { kind: 'purposeful_trip', magnitude: 6, value_cents: 900 },
      { kind: 'waste_avoided', magnitude: 4.5, value_cents: 880 },
      { kind: 'attention_saved', magnitude: 80, value_cents: 1680 },
    ]),
    {
      waste_avoided_units: 4.5,
      idle_reclaimed_hours: 0.3,
      purposeful_trips: 6,
      attention_saved_count: 80,
      amount: 35.62,
    },
  );
});

test('losses are taken off, and what nobody counted is named as inferred', () => {
  const totals = sustainabilityTotals([
    { kind: 'idle_reclaimed', magnitude: 1333, value_cents: 100 },
    { kind: 'idle_reclaimed', magnitude: -473, value_cents: -300 },
    { kind: 'purposeful_trip', magnitude: 22, value_cents: 100 },
  ]);
  assert.deepEqual([totals.idle_reclaimed_hours, totals.amount], [860, -1]);
  assert.equal(
    sustainabilityText(totals, 'SGD'),
    '860 hours of places that usually stand idle were in use, less those that stood idle instead. inferred from that, not observed: no leftovers avoided; 22 visits beyond the usual; no line held back that would have cost attention. in all about SGD 1.00 more than usual went to waste, as inferred.',
  );
  assert.deepEqual(inferredTotals, [
    'waste_avoided_units',
    'purposeful_trips',
    'attention_saved_count',
    'amount',
  ]);
});

const sum = fc
  .record({
    kind: fc.constantFrom(...sustainabilityKinds),
    magnitude: fc.integer({ min: -100_000, max: 100_000 }).map((hundredths) => hundredths / 100),
    value_cents: fc.integer({ min: -10_000_000, max: 10_000_000 }),
  })
  .map((one) => (one.kind === 'attention_saved' ? { ...one, magnitude: Math.abs(one.magnitude) } : one));

test('totals are exact sums for any grouping of the events', () => {
  fc.assert(
    fc.property(fc.array(sum, { maxLength: 40 }), fc.nat(40), (sums, cut) => {
      const all = sustainabilityTotals(sums);
      const parts = [sustainabilityTotals(sums.slice(0, cut)), sustainabilityTotals(sums.slice(cut))];
      for (const field of Object.keys(all) as (keyof typeof all)[]) {
        const hundredths = parts.reduce((total, part) => total + Math.round(part[field] * 100), 0);
        assert.equal(Math.round(all[field] * 100), hundredths, field);
      }
    }),
  );
});

test('the line states every figure, or that there is none, and passes the voice rules', () => {
  fc.assert(
    fc.property(fc.array(sum, { maxLength: 8 }), fc.constantFrom('SGD', 'EUR', 'AUD'), (sums, currency) => {
      const totals = sustainabilityTotals(sums);
      const line = sustainabilityText(totals, currency);
      assert.deepEqual(voiceFaults(line), [], line);
      const { amount: _money, ...figures } = totals;
      const zeros = Object.values(figures).filter((value) => value === 0);
      for (const value of Object.values(figures))
        assert.ok(value === 0 || line.includes(`${Math.abs(value)} `), line);
      assert.equal(line.match(/\bno\b/g)?.length ?? 0, zeros.length, line);
      assert.ok(line.includes(`${currency} ${Math.abs(totals.amount).toFixed(2)} `));
    }),
  );
});
