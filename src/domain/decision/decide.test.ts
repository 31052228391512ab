import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coolerPressures, moment, pocket, situation } from '../../../test/support/rows/example-moment.ts';
import { assessMoment, decide, weigh } from './decide.ts';
import { gates } from './gates.ts';

/** The example three degrees cooler: the one gate that closed opens. */
const cooler = { ...situation, pressures: coolerPressures };

test('the worked example of docs/formulas.md', () => {
  const decision = decide(situation);
  assert.equal(decision.closed_gate, 'resonance');
  assert.equal(decision.reason, 'resonance_human_energy');
  assert.equal(
    decision.candidate_text,
    'tiong bahru is quiet and at work; much calmer than usual; until about half past four.',
  );
  assert.equal(decision.candidate_confidence, 0.617);
  assert.equal(decision.tier, 'experience');
});

test('with every gate open the candidate is published', () => {
  const { closed_gate, reason, resonance, gates: results } = decide(cooler);
  assert.deepEqual([closed_gate, reason], [null, null]);
  assert.equal(resonance, 0.5367);
  for (const gate of gates) assert.ok(results[gate].passed, gate);
});

test('a line that breaks the voice rules is withheld even if every gate is open', () => {
  const named = (name: string) => decide({ ...cooler, pocket: { ...pocket, name } }).closed_gate;
  assert.equal(named('A Name Of Seven Words In All'), 'voice');
  assert.equal(named('Quiet!'), 'voice');
  assert.equal(named('Three Plain Words'), null);
});

test('a closed gate is named before the voice', () => {
  assert.equal(decide({ ...situation, pocket: { ...pocket, name: 'Quiet!' } }).closed_gate, 'resonance');
});

test('the tier depends on the spare capacity of the open outlets', () => {
  for (const [spare_capacity, tier] of [
    [null, 'atmosphere'],
    [0.54, 'atmosphere'],
    [0.55, 'experience'],
  ] as const)
    assert.equal(decide({ ...situation, spare_capacity }).tier, tier);
});

test('the intent with the best alignment counts', () => {
  const intent = situation.intents[0];
  assert.ok(intent);
  const better = { ...intent, atmosphere: { calm: 1, stress: 0, social_energy: 0, productive: 0 } };
  const worse = { ...intent, atmosphere: { calm: -1, stress: 0, social_energy: 0, productive: 0 } };
  const layer = (intents: typeof situation.intents) => assessMoment({ ...situation, intents }).layers.intent;
  assert.equal(layer([intent, worse]), 0.9);
  assert.equal(layer([worse, better, intent]), 0.967);
  assert.equal(layer([]), 0.7);
});

test('weighing the stored values again gives the same result', () => {
  const { reading, usual_stress, usual_calm, network_calm, spare_capacity, fatigue } = situation;
  const { quality, resonance } = assessMoment(situation);
  const { slot, calm, stress } = reading;
  const surroundings = { usual_stress, usual_calm, network_calm, spare_capacity, fatigue };
  const stored = { moment, reading: { slot, calm, stress }, ...surroundings };
  const { legitimacy, gates } = weigh(stored, { quality, resonance });
  const decision = decide(situation);
  assert.deepEqual({ legitimacy, gates }, { legitimacy: decision.legitimacy, gates: decision.gates });
});

test('a given context replaces the computed values and is not rounded', () => {
  const read = assessMoment(situation);
  const { factors } = weigh(situation, read, { fatigue: 0.12345, merchant_pressure: 0.98765 }).legitimacy;
  assert.deepEqual([factors.fatigue, factors.merchant_pressure], [0.12345, 0.98765]);
  const { factors: usual } = weigh(situation, read).legitimacy;
  assert.deepEqual([usual.fatigue, usual.merchant_pressure], [0.15, 0.3]);
  assert.equal(weigh({ ...situation, spare_capacity: null }, read).legitimacy.factors.merchant_pressure, 0);
});

test('more fatigue never raises the legitimacy score', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const read = assessMoment(cooler);
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [rested, tired] = [Math.min(a, b), Math.max(a, b)];
      const scores = [tired, rested].map(
        (fatigue) => weigh(cooler, read, { fatigue }).legitimacy.legitimacy_score,
      );
      assert.ok((scores[0] ?? 0) <= (scores[1] ?? 0));
    }),
  );
});

test('confidence lies in 0..1, and is high for a clear, stable and well observed state', () => {
  const confidence = (calm_probability: number, fragility: number, completeness: number) =>
    decide({
      ...situation,
      moment: { ...moment, calm_probability, fragility },
      reading: { ...situation.reading, completeness },
    }).candidate_confidence;
  assert.equal(confidence(1, 0, 1), 1);
  assert.equal(confidence(0, 0, 1), 1);
  assert.equal(confidence(0.5, 0, 1), 0.5);
  assert.equal(confidence(1, 1, 1), 0.75);
  assert.equal(confidence(0.5, 1, 0.6), 0.3);
});
