import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  at,
  measured,
  moment,
  reading,
  situation,
  values,
} from '../../../test/support/rows/example-moment.ts';
import { SLOT } from '../time/slot.ts';
import { decide, type Situation } from './decide.ts';
import { decisionId, readDecisionId, silencePayload } from './silence.ts';

const sealed = (given: Situation) => {
  const { reason, ...decision } = decide(given);
  assert.ok(reason);
  return silencePayload(reading, measured, moment, given.usual_calm, { ...decision, reason });
};
const payload = sealed(situation);

test('the worked example of docs/formulas.md', () => {
  const { substrate, ...rest } = payload;
  assert.deepEqual(rest, {
    type: 'silence',
    id: 'tiongbahru-20261111T0700Z',
    pocket_id: 'tiongbahru',
    sealed_at: '2026-11-11T07:00:00.000Z',
    window_end: '2026-11-11T08:30:00.000Z',
    usual_calm: 0.5,
    candidate_emission_text:
      'tiong bahru is quiet and at work; much calmer than usual; until about half past four.',
    candidate_confidence: 0.617,
    legitimacy_score: 78.7,
    band: 'legitimate',
    gate_closed: 'resonance',
    reason: 'resonance_human_energy',
    reason_text: 'not enough reasons to speak, mainly because of a strained or empty street',
    delta_to_emit_threshold: 8.7,
    gates: {
      resonance: 0.4964,
      moment_silence: 1,
      why_this_place: 1,
      why_now: 0.867,
      why_this_person: 0.7816,
      why_worth_attention: 0.787,
      why_low_effort: 0.77,
    },
  });
  assert.deepEqual(substrate, {
    completeness: 0.75,
    atmosphere: {
      stress: 0.3,
      calm: 0.8,
      social_energy: 0.2,
      productive: 0.6,
      primary_state: 'calm-productive',
      anomaly_flag: false,
    },
    environment: values,
    moment: {
      calm_probability: 0.786,
      signal_saturation: 0.15,
      movement_friction: 0.23,
      fragility: 0.306,
      half_life_minutes: 36,
      window_ends_at: '2026-11-11T08:30:00.000Z',
      held_share: 0.867,
      expected_calm: 0.763,
      silence_reasons: [],
    },
  });
});

test('the delta is the score less the threshold', () => {
  const low = sealed({ ...situation, usual_stress: null, since: 0 });
  assert.equal(low.delta_to_emit_threshold, Math.round((low.legitimacy_score - 70) * 10) / 10);
  assert.ok(low.delta_to_emit_threshold < 0);
});

test('one decision for each pocket and slot', () => {
  assert.equal(decisionId('upper-thomson', at), 'upper-thomson-20261111T0700Z');
  assert.notEqual(decisionId('a', at), decisionId('a', at + SLOT));
});

test('the pocket and slot are read from an id', () => {
  for (const pocket_id of ['holland', 'upper-thomson', 'a-20260101T0000Z-b']) {
    for (const rest of ['', '.pocket_projection_60m', '.quiet_window_60m:reveal']) {
      assert.deepEqual(readDecisionId(decisionId(pocket_id, at) + rest), { pocket_id, slot: at, rest });
    }
  }
  for (const id of [
    '',
    'holland',
    '0b8f6a3e-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
    'a-20261399T0000Z',
    '-20261111T0700Z',
  ])
    assert.equal(readDecisionId(id), null);
});
