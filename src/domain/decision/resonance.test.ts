import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { at, moment } from '../../../test/support/rows/example-moment.ts';
import { voiceFaults } from '../text/voice.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  type LayerScores,
  layerReasoning,
  merchantLayer,
  publishedResonance,
  RESONANCE_THRESHOLD,
  type ResonanceInput,
  resonanceLayers,
  resonanceScore,
  scoreLayers,
  weakestLayer,
} from './resonance.ts';
import { EXPERIENCE_THRESHOLD, lineTier } from './tier.ts';

const example: ResonanceInput = {
  ...{
    moment,
    hour: singapore.hourOfDay(at),
    stress: 0.3,
    crowd: 0.4,
    rain: 0,
    heat: 0.5,
    air: null,
    spare_capacity: 0.6,
    merchants_known: true,
  },
  best_intent: 0.7,
};
const layers = (more: Partial<ResonanceInput>) => scoreLayers({ ...example, ...more });
const open = Object.fromEntries(resonanceLayers.map((layer) => [layer, 1])) as LayerScores;

test('the worked example of docs/formulas.md', () => {
  const scores = scoreLayers(example);
  assert.deepEqual(scores, {
    time: 1,
    physical: 0.925,
    human_energy: 0.85,
    merchant_state: 0.94,
    attention_density: 0.85,
    intent: 0.9,
    temporal: 0.878,
  });
  assert.equal(resonanceScore(scores), 0.4964);
});

describe('layers', () => {
  test('weather', () => {
    const physical = (rain: number | null, heat: number | null, air: number | null) =>
      layers({ rain, heat, air }).physical;
    assert.equal(physical(0, 0, 0), 1);
    assert.equal(physical(null, null, null), null);
    assert.equal(physical(1, null, null), 0.3);
    assert.equal(physical(1, 0, 0), 0.3);
    assert.equal(physical(0, 1, 0), 0.85);
    assert.equal(physical(0, 0, 1), 0.7);
    assert.equal(physical(1, 1, 1), 0);
  });

  test('people', () => {
    const energy = (stress: number, crowd: number) => layers({ stress, crowd }).human_energy;
    assert.equal(energy(0, 0.2), 1);
    assert.equal(energy(0, 0.03), 0.6);
    assert.equal(energy(1, 0.2), 0.5);
    assert.equal(energy(1, 0), 0.1);
  });

  test('attention, intent and time left', () => {
    assert.equal(layers({ moment: { ...moment, signal_saturation: 0.4 } }).attention_density, 0.6);
    assert.equal(layers({ best_intent: 0.4 }).intent, 0.7);
    assert.equal(layers({ best_intent: 0.85 }).intent, 1);
    const temporal = (window_ends_at: number | null, fragility: number) =>
      layers({ moment: { ...moment, window_ends_at, fragility } }).temporal;
    assert.equal(temporal(1, 0), 1);
    assert.equal(temporal(null, 0), 0.75);
    assert.equal(temporal(1, 1), 0.6);
  });

  test('an hour for sleep or heavy rain alone brings the score under the threshold', () => {
    const asleep = layers({ hour: 3 });
    assert.equal(resonanceScore(asleep), 0);
    assert.ok(resonanceScore({ ...open, physical: layers({ rain: 1 }).physical }) < RESONANCE_THRESHOLD);
  });
});

describe('merchant state', () => {
  test('matters little at the atmosphere tier and can rule out the experience tier', () => {
    const table: [spare_capacity: number | null, atmosphere: number, experience: number][] = [
      [null, 0.94, 0],
      [0, 0.85, 0],
      [0.275, 0.891, 0.446],
      [EXPERIENCE_THRESHOLD, 0.933, 0.933],
      [1, 1, 1],
    ];
    for (const [spare_capacity, atmosphere, experience] of table) {
      assert.equal(merchantLayer(spare_capacity), atmosphere);
      assert.equal(merchantLayer(spare_capacity, 'experience'), experience);
    }
  });

  test('the tier by spare capacity', () => {
    assert.equal(lineTier(null), 'atmosphere');
    assert.equal(lineTier(EXPERIENCE_THRESHOLD - 0.001), 'atmosphere');
    assert.equal(lineTier(EXPERIENCE_THRESHOLD), 'experience');
  });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyLayers = fc.record(
  Object.fromEntries(resonanceLayers.map((layer) => [layer, share])) as Record<
    keyof LayerScores,
    typeof share
  >,
);

test('the score is the product of the layers, surfaces from the threshold on, and names its weakest layer', () => {
  fc.assert(
    fc.property(anyLayers, (scores) => {
      const { score, should_surface, threshold, decay_at, decay_reason, layers } = publishedResonance(
        scores,
        moment,
      );
      const product = Object.values(scores).reduce((all, layer) => all * layer, 1);
      assert.ok(Math.abs(score - product) <= 0.00005 + 1e-9);
      assert.equal(should_surface, score >= threshold);
      assert.equal(decay_at, '2026-11-11T07:36:00.000Z');
      const weakest = weakestLayer(scores);
      assert.equal(scores[weakest], Math.min(...Object.values(scores)));
      assert.equal(decay_reason, `the moment is ending; ${weakest.replaceAll('_', ' ')} is weakest`);
      assert.deepEqual(Object.keys(layers), resonanceLayers);
    }),
  );
});

test('for any input, layers lie in 0..1', () => {
  const input = fc.record({
    stress: share,
    crowd: share,
    merchants_known: fc.boolean(),
    rain: fc.option(share),
    heat: fc.option(share),
    air: fc.option(share),
    spare_capacity: fc.option(share),
    best_intent: share,
    quarters: fc.integer({ min: 0, max: 95 }),
  });
  fc.assert(
    fc.property(input, ({ quarters, ...more }) => {
      const scores = layers({ ...more, hour: quarters / 4 });
      for (const layer of resonanceLayers) {
        const score = scores[layer];
        assert.ok(score === null || (score >= 0 && score <= 1), layer);
      }
    }),
  );
});

test('every layer has three reasonings that pass the voice rules', () => {
  const ranges: Record<keyof LayerScores, [least: number, most: number]> = {
    time: [0, 1],
    physical: [0, 1],
    human_energy: [0.1, 1],
    merchant_state: [0.85, 1],
    attention_density: [0, 1],
    intent: [0.7, 1],
    temporal: [0, 1],
  };
  for (const layer of resonanceLayers) {
    const [least, most] = ranges[layer];
    const said = new Set(
      Array.from({ length: 101 }, (_, n) => layerReasoning(layer, least + ((most - least) * n) / 100)),
    );
    assert.equal(said.size, 3, layer);
    for (const reasoning of said) assert.deepEqual(voiceFaults(reasoning), []);
  }
});

test('a layer that was not measured is no factor of the product, and never the weakest', () => {
  const scores = scoreLayers({
    ...example,
    rain: null,
    heat: null,
    air: null,
    spare_capacity: null,
    merchants_known: false,
  });
  assert.deepEqual([scores.physical, scores.merchant_state], [null, null]);
  assert.equal(resonanceScore(scores), resonanceScore({ ...scores, physical: 1, merchant_state: 1 }));
  assert.equal(weakestLayer({ ...open, physical: null, temporal: 0.9 }), 'temporal');
  assert.equal(layerReasoning('physical', null), 'not measured here');
});
