import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { situation } from '../../../test/support/rows/example-moment.ts';
import { assessMoment, weigh } from './decide.ts';
import { type Gate, gates, gateThresholds, toGateResults } from './gates.ts';
import { NEAR_MISS_MARGIN, nearMiss } from './near-miss.ts';

const open = Object.fromEntries(gates.map((gate) => [gate, 1])) as Record<Gate, number>;

test('the worked example of docs/formulas.md', () => {
  const results = weigh(situation, assessMoment(situation)).gates;
  const scores = Object.fromEntries(gates.map((gate) => [gate, results[gate].score])) as Record<Gate, number>;
  assert.equal(scores.resonance, 0.4964);
  assert.equal(nearMiss(scores), 'resonance');
});

test('exactly one gate, within the margin', () => {
  const table: [what: string, scores: Partial<Record<Gate, number>>, gate: Gate | null][] = [
    ['every gate is open', {}, null],
    ['just below', { why_now: 0.8449 }, 'why_now'],
    ['as far as near goes', { resonance: 0.48 }, 'resonance'],
    ['farther', { resonance: 0.4799 }, null],
    ['two within the margin', { resonance: 0.495, why_now: 0.84 }, null],
    ['one within the margin, one far below', { resonance: 0.495, why_now: 0.1 }, null],
    ['a moment that asks for quiet', { moment_silence: 0 }, null],
  ];
  for (const [what, scores, gate] of table) assert.equal(nearMiss({ ...open, ...scores }), gate, what);
});

test('a near miss is the closed gate, and raising its score by more than the margin opens every gate', () => {
  const score = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000);
  const scores = fc.record(
    Object.fromEntries(gates.map((gate) => [gate, score])) as Record<Gate, typeof score>,
  );
  fc.assert(
    fc.property(scores, (given) => {
      const gate = nearMiss(given);
      if (gate === null) return;
      assert.equal(toGateResults(given)[gate].passed, false);
      const raised = toGateResults({ ...given, [gate]: given[gate] + NEAR_MISS_MARGIN + 1e-9 });
      assert.ok(gates.every((one) => raised[one].passed));
      assert.ok(gateThresholds[gate] > given[gate]);
    }),
  );
});
