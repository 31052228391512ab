import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, sealedSilence, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { getExplanation } from './get-explanation.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const few = { footfall: 3.2 };
const made: DecisionFixture[] = [
  { slot: noon - 8 * SLOT, gate: null },
  { slot: noon - 6 * SLOT, gate: 'why_now', score: 81.5, vindicated: true, minutes: 4 },
  { slot: noon, gate: 'resonance', values: few },
  { slot: noon - 7 * SLOT, gate: null, pause: 'already_speaking' },
  { slot: noon - 20 * SLOT, gate: null, pause: 'quiet_hours' },
];

describeStores('get_explanation', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, made));
  const ask = (id: string) => askOperation(getExplanation, store(), noon, { id });

  const environment = {
    rain_mm: 0,
    temperature_c: 28.5,
    humidity_pct: 80,
    pm25: 12,
    footfall: 400,
    transit_crowding: 0.25,
    traffic_speed_kmh: 40,
    carpark_occupancy: 0.5,
    completeness: 1,
    substrate: 'simulated',
    provenance: [
      {
        kind: 'rain_mm',
        source: 'simulated:rain-gauge',
        observed_at: '2026-11-11T02:25:00.000Z',
        received_at: '2026-11-11T02:26:00.000Z',
      },
    ],
  };

  test('a silence: what would have been said, for which reason it was not, was it right', async () => {
    const { structured, text } = await ask('silence:tiongbahru-20261111T0230Z');
    const payload = sealedSilence({ slot: noon - 6 * SLOT, gate: 'why_now', score: 81.5 });
    const { moment, gates, ...rest } = structured;
    assert.deepEqual(rest, {
      id: 'silence:tiongbahru-20261111T0230Z',
      type: 'silence',
      pocket_id: 'tiongbahru',
      decision: 'remain_silent',
      reason: 'why_now',
      reason_text: 'no reason to say it at this hour',
      summary:
        'tiongbahru was left in silence at 10:30 SGT on 2026-11-11: no reason to say it at this hour; legitimacy 81.5 against a threshold of 70.',
      permalink: 'https://pocketwatch.test/explanations/silence:tiongbahru-20261111T0230Z',
      decided_at: '2026-11-11T02:30:00.000Z',
      gate_closed: 'why_now',
      legitimacy: {
        legitimacy_score: 81.5,
        band: 'legitimate',
        emit_threshold: 70,
        delta_to_emit_threshold: 11.5,
      },
      candidate_emission_text: 'a quiet hour; calmer than usual; until about quarter to one.',
      candidate_confidence: 0.5,
      was_it_right: {
        revealed: true,
        revealed_at: '2026-11-11T03:30:00.000Z',
        vindicated: true,
        attention_minutes_preserved: 4,
        reason: 'the calm did not hold',
        what_happened: {
          calm: [0.75, 0.75, 0.75, 0.75, 0.75],
          calm_state: [true, true, true, false, false],
        },
        verdict_id: 'tiongbahru-20261111T0230Z.verdict',
      },
      claim: {
        ends_at: '2026-11-11T03:30:00.000Z',
        usual_calm: 0.5,
        expected_calm: 0.75,
        held_share: 0.875,
      },
      payload_hash: computeSeal(payload).payload_hash,
      payload,
      provenance_url:
        'https://pocketwatch.test/api/provenance?pocket=tiongbahru&at=2026-11-11T02%3A30%3A00.000Z',
      atmosphere: {
        stress: 0.25,
        calm: 0.75,
        social_energy: 0.125,
        productive: 0.5,
        primary_state: 'calm-productive',
        anomaly_flag: false,
        completeness: 1,
        captured_at: '2026-11-11T02:30:00.000Z',
      },
      environment,
      disagreements: [
        'the resonance is enough to speak, and nothing was said: no reason to say it at this hour',
        'a line would be legitimate, and nothing was said: no reason to say it at this hour',
      ],
    });
    assert.ok(gates && moment);
    assert.deepEqual(gates.why_now, { passed: false, score: 0.25 });
    assert.deepEqual(gates.resonance, { passed: true, score: 1 });
    assert.equal(Object.keys(gates).length, 7);
    assert.equal(moment.expires_at, '2026-11-11T03:15:00.000Z');
    assert.match(text, /the line: 'a quiet hour; .*' later: the calm did not hold\.$/);
  });

  test('a silence whose window has not ended', async () => {
    const { structured } = await ask('silence:tiongbahru-20261111T0400Z');
    assert.deepEqual(structured.was_it_right, {
      revealed: false,
      reveal_at: '2026-11-11T05:00:00.000Z',
      vindicated: null,
    });
    assert.ok(structured.environment);
    assert.equal(structured.environment.footfall, null, 'a count under five is withheld');
  });

  test('an emission: its gates are computed again from the stored rows', async () => {
    const { structured } = await ask('emit:tiongbahru-20261111T0200Z');
    assert.ok('package' in structured && structured.gates);
    assert.equal(structured.decision, 'emit');
    assert.equal(structured.gate_closed, null);
    assert.deepEqual(structured.was_it_right, {
      revealed: false,
      reveal_at: '2026-11-11T03:00:00.000Z',
      vindicated: null,
    });
    assert.equal(
      structured.candidate_emission_text,
      'a quiet hour; calmer than usual; until about quarter to one.',
    );
    assert.deepEqual(structured.package, {
      tier: 'atmosphere',
      expires_at: '2026-11-11T03:00:00.000Z',
    });
    assert.deepEqual(
      Object.values(structured.gates).map(({ passed }) => passed),
      Array(7).fill(true),
    );
    assert.equal(structured.gates.why_low_effort.score, 0.875);
    assert.ok(structured.moment && structured.atmosphere && structured.environment);
    assert.deepEqual(structured.claim, {
      ends_at: '2026-11-11T03:00:00.000Z',
      usual_calm: 0.5,
      expected_calm: 0.75,
      held_share: 0.875,
    });
    assert.equal(structured.payload_hash, computeSeal(structured.payload).payload_hash);
  });

  test('a quarter hour with a line still live, and one at night: nothing was decided', async () => {
    const { structured, text } = await ask('already_speaking:tiongbahru-20261111T0215Z');
    assert.ok('live_package' in structured && structured.gates);
    const { type, decision, reason, gate_closed, candidate_emission_text, was_it_right } = structured;
    assert.deepEqual(
      { type, decision, reason, gate_closed, candidate_emission_text, was_it_right },
      {
        type: 'already_speaking',
        decision: 'already_speaking',
        reason: 'already_speaking',
        gate_closed: null,
        candidate_emission_text: null,
        was_it_right: null,
      },
    );
    assert.equal(structured.live_package, 'tiongbahru-20261111T0200Z');
    assert.equal(structured.legitimacy.legitimacy_score, 50);
    assert.ok(structured.moment && structured.atmosphere && structured.environment);
    assert.equal(
      text,
      'nothing was decided about tiongbahru at 10:15 SGT on 2026-11-11: a line of the service is still live.',
    );
    const night = await ask('quiet_hours:tiongbahru-20261110T2300Z');
    assert.ok('live_package' in night.structured);
    assert.deepEqual(
      [night.structured.reason_text, night.structured.live_package],
      ['it is an hour for sleep', null],
    );
  });

  for (const id of [
    'quiet_hours:tiongbahru-20261111T0215Z',
    'already_speaking:tiongbahru-20261111T0215Zx',
    'emit:tiongbahru-20261111T0400Z',
    'silence:tiongbahru-20261111T0200Z',
    'tiongbahru-20261111T0400Z',
    'silence:',
    'other:tiongbahru-20261111T0400Z',
    "silence:' or 1=1 --",
    '__proto__',
  ]) {
    test(`${id} is not found`, async () => {
      await assert.rejects(ask(id), { name: 'NotFound', message: `unknown decision: ${id}` });
    });
  }
});
