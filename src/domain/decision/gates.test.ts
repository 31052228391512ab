import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { moment, situation } from '../../../test/support/rows/example-moment.ts';
import { HELD_SHARE } from '../window/calm-window.ts';
import { assessMoment, weigh } from './decide.ts';
import {
  closedGate,
  distinctness,
  type Gate,
  type GateInput,
  gates,
  runGates,
  toGateResults,
} from './gates.ts';

const open: GateInput = {
  moment: { ...moment, movement_friction: 0, window_expected_calm: 0.8, window_held_share: 1 },
  resonance: 1,
  usual_calm: 0.5,
  user_need: 1,
  fatigue: 0,
  legitimacy_score: 100,
};
const run = (more: Partial<GateInput>) => runGates({ ...open, ...more });

test('the worked example of docs/formulas.md', () => {
  const { gates } = weigh(situation, assessMoment(situation));
  assert.deepEqual(gates, {
    resonance: { passed: false, score: 0.4964 },
    moment_silence: { passed: true, score: 1 },
    why_this_place: { passed: true, score: 1 },
    why_now: { passed: true, score: 0.867 },
    why_this_person: { passed: true, score: 0.7816 },
    why_worth_attention: { passed: true, score: 0.787 },
    why_low_effort: { passed: true, score: 0.77 },
  });
  assert.equal(closedGate(gates), 'resonance');
});

test('each gate opens at its threshold and is closed just below it', () => {
  const silent = { ...open.moment, should_stay_silent: true };
  const expecting = (window_expected_calm: number) => ({ ...open.moment, window_expected_calm });
  const holding = (window_held_share: number) => ({ ...open.moment, window_held_share });
  const table: [gate: Gate, opens: Partial<GateInput>, closes: Partial<GateInput>][] = [
    ['resonance', { resonance: 0.5 }, { resonance: 0.4999 }],
    ['moment_silence', {}, { moment: silent }],
    [
      'why_this_place',
      { usual_calm: 0.54, moment: expecting(0.6) },
      { usual_calm: 0.54, moment: expecting(0.599) },
    ],
    ['why_now', { moment: holding(HELD_SHARE) }, { moment: holding(HELD_SHARE - 0.001) }],
    ['why_this_person', { user_need: 0.5, fatigue: 0.4 }, { user_need: 0.5, fatigue: 0.401 }],
    ['why_worth_attention', { legitimacy_score: 70 }, { legitimacy_score: 69.9 }],
    [
      'why_low_effort',
      { moment: { ...open.moment, movement_friction: 0.25 } },
      { moment: { ...open.moment, movement_friction: 0.251 } },
    ],
  ];
  assert.deepEqual(
    table.map(([gate]) => gate),
    gates,
  );
  for (const [gate, opens, closes] of table) {
    assert.equal(closedGate(run(opens)), null, gate);
    assert.equal(closedGate(run(closes)), gate);
  }
});

test('the first closed gate is named', () => {
  assert.equal(closedGate(run({ usual_calm: null, legitimacy_score: 0 })), 'why_this_place');
  assert.equal(closedGate(run({ resonance: 0, usual_calm: null })), 'resonance');
  const moment = { ...open.moment, should_stay_silent: true };
  assert.equal(closedGate(run({ resonance: 0, moment })), 'moment_silence');
});

test('distinctness: how much calmer than usual, where calm is not usual', () => {
  const table: [expected: number, usual: number | null, score: number][] = [
    [0.5, 0.5, 0],
    [0.4, 0.5, 0],
    [0.56, 0.5, 0.5],
    [0.62, 0.5, 1],
    [1, 0, 1],
    [0.8, 0.549, 1],
    [0.8, 0.55, 0],
    [0.8, null, 0],
  ];
  for (const [expected, usual, score] of table)
    assert.equal(distinctness(expected, usual), score, `${expected} against ${usual}`);
});

test('more fatigue, friction or less of anything else never opens a gate', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const input = fc.record({
    resonance: share,
    usual_calm: share,
    user_need: share,
    fatigue: share,
  });
  fc.assert(
    fc.property(input, share, share, (given, friction, step) => {
      const at = (friction: number, more: Partial<GateInput>) =>
        run({ ...given, moment: { ...moment, movement_friction: friction }, ...more });
      const before = at(friction, {});
      const after = at(Math.min(1, friction + step), {
        fatigue: Math.min(1, given.fatigue + step),
        resonance: given.resonance * (1 - step),
        legitimacy_score: 100 * (1 - step),
      });
      for (const gate of gates) {
        const [then, now] = [before[gate].score, after[gate].score];
        assert.ok(then !== null && now !== null && now <= then && now >= 0);
        assert.ok(before[gate].passed || !after[gate].passed, gate);
      }
    }),
  );
});

test('a gate whose inputs were not measured has no score and closes nothing', () => {
  const results = toGateResults({
    ...{ resonance: 1, moment_silence: 1, why_this_place: 1, why_now: 1, why_this_person: 1 },
    ...{ why_worth_attention: 1, why_low_effort: null },
  });
  assert.deepEqual(results.why_low_effort, { passed: true, score: null });
  assert.equal(closedGate(results), null);
});
