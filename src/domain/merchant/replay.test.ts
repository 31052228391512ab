import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  at,
  coolerPressures,
  moment,
  pocket,
  reading,
  situation,
} from '../../../test/support/rows/example-moment.ts';
import { decide } from '../decision/decide.ts';
import { signalSaturation } from '../decision/moment.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { combineSaturation, decideAgain, type PastMoment, type Variation } from './replay.ts';

/** The example three degrees cooler, so that every gate was open, as it would be stored. */
const decided = decide({ ...situation, pressures: coolerPressures });
const { should_stay_silent: _derived, silence_reasons: _reasons, ...stored } = moment;
const past: PastMoment = {
  moment: stored,
  factors: decided.quality.factors,
  layers: decided.layers,
  reading: { slot: reading.slot, calm: reading.calm, stress: reading.stress },
  usual_stress: 0.4,
  usual_calm: 0.5,
  network_calm: 0.6,
  line_live: false,
  fatigue: situation.fatigue,
};
const asItWas: Variation = { spare_capacity: 0.6, tier: 'atmosphere', spoken: [] };
const again = (otherwise: Partial<Variation> = {}, more: Partial<PastMoment> = {}) =>
  decideAgain(pocket.name, { ...past, ...more }, { ...asItWas, ...otherwise }, singapore);

test('without changes it decides as before', () => {
  const { reason, candidate_text, legitimacy } = decided;
  assert.deepEqual(again(), {
    reason,
    legitimacy_score: legitimacy.legitimacy_score,
    line: candidate_text,
  });
  assert.equal(reason, null);
});

test('the worked example of docs/formulas.md: a line of three quarters of an hour ago closes the resonance gate', () => {
  const later = {
    moment: { ...stored, signal_saturation: signalSaturation([at - 90 * MINUTE], at + 3 * SLOT) },
    reading: { ...past.reading, slot: at + 3 * SLOT },
  };
  assert.equal(later.moment.signal_saturation, 0.106);
  assert.equal(signalSaturation([at], at + 3 * SLOT), 0.212);
  assert.equal(again({}, later).reason, null);
  const { reason, legitimacy_score } = again({ spoken: [at] }, later);
  assert.equal(reason, 'resonance_attention_density');
  // 1 − 0.894 × 0.788 = 0.296: 0.19 more than the 0.106 there was, at 30 points for each; and the line tires: fatigue
  // rises by 0.05, at 25 points.
  assert.equal(Math.round(10 * (again({}, later).legitimacy_score - legitimacy_score)), 70);
});

test('an outlet without spare capacity rules out the experience tier, and hardly changes the atmosphere tier', () => {
  for (const [spare_capacity, tier, reason] of [
    [0, 'experience', 'resonance_merchant_state'],
    [null, 'experience', 'resonance_merchant_state'],
    [0.6, 'experience', null],
    [null, 'atmosphere', null],
  ] as const)
    assert.equal(again({ spare_capacity, tier }).reason, reason, `${spare_capacity} ${tier}`);
});

test('spare capacity raises merchant pressure and lowers the score', () => {
  const scores = [0.6, 0.8, 1].map(
    (spare_capacity) => again({ spare_capacity, tier: 'experience' }).legitimacy_score,
  );
  const [some, more, most] = scores as [number, number, number];
  assert.deepEqual([some - more, more - most].map(Math.round), [1, 1]);
});

test('saturation over its limit forces silence', () => {
  const open = { ...past.layers, attention_density: 1, physical: 1, human_energy: 1, intent: 1, temporal: 1 };
  const spoken = [at, at, at, at, at, at];
  const { legitimacy_score } = again({ spoken }, { layers: open });
  assert.equal(again({ spoken }, { layers: open }).reason, 'heard_enough');
  assert.ok(legitimacy_score < again({}, { layers: open }).legitimacy_score - 20);
});

test('a name that breaks the voice rules closes the voice gate', () => {
  assert.equal(decideAgain('Quiet!', past, asItWas, singapore).reason, 'voice');
});

test('saturation of two sets of lines combined equals that of all lines', () => {
  const said = fc.array(fc.integer({ min: 0, max: 24 * 60 }), { maxLength: 12 });
  fc.assert(
    fc.property(said, said, (some, others) => {
      const [a, b] = [some, others].map((ages) => ages.map((age) => at - age * MINUTE)) as [
        number[],
        number[],
      ];
      const parts = combineSaturation(signalSaturation(a, at), signalSaturation(b, at));
      assert.ok(Math.abs(parts - signalSaturation([...a, ...b], at)) <= 0.0016);
    }),
  );
});

test('more lines never open a closed gate', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const ages = fc.array(fc.integer({ min: 1, max: 95 }), { maxLength: 8 });
  fc.assert(
    fc.property(share, share, share, ages, (spare_capacity, signal_saturation, physical, quarters) => {
      const moment = { ...stored, signal_saturation: Math.round(signal_saturation * 1000) / 1000 };
      const more = {
        moment,
        layers: {
          ...past.layers,
          physical,
          attention_density: Math.round(1000 - 1000 * moment.signal_saturation) / 1000,
        },
      };
      const spoken = quarters.map((quarter) => at - quarter * SLOT).sort((a, b) => a - b);
      const before = again({ spare_capacity, tier: 'experience' }, more);
      const after = again({ spare_capacity, tier: 'experience', spoken }, more);
      assert.ok(after.legitimacy_score <= before.legitimacy_score + 0.05);
      if (before.reason !== null) assert.notEqual(after.reason, null);
    }),
  );
});
