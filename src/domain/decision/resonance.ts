/** Resonance: the product of seven layers of fit (docs/formulas.md, "Resonance"). */

import { clamp, ramp, round } from '../stats/unit-scale.ts';
import { iso } from '../time/slot.ts';
import type { Moment } from './moment.ts';
import { awakeness, type MqsInput } from './moment-quality.ts';
import { EXPERIENCE_THRESHOLD, type Tier } from './tier.ts';

export const resonanceLayers = [
  'time',
  'physical',
  'human_energy',
  'merchant_state',
  'attention_density',
  'intent',
  'temporal',
] as const;
export type ResonanceLayer = (typeof resonanceLayers)[number];
/** A layer whose inputs were not measured has no score, and is no factor of the product. */
export type LayerScores = Record<ResonanceLayer, number | null>;

/** The contract's. */
export const RESONANCE_THRESHOLD = 0.5;

export interface ResonanceInput
  extends Pick<MqsInput, 'moment' | 'hour' | 'stress' | 'crowd' | 'spare_capacity' | 'merchants_known'> {
  rain: number | null;
  heat: number | null;
  air: number | null;
  /** The best alignment that any intent has with the present, 0..1. */
  best_intent: number;
}

/** Each layer is 1 where it has no objection to publishing; a single low layer brings the product under the threshold. */
export function scoreLayers(input: ResonanceInput): LayerScores {
  const { moment, hour, stress, crowd, spare_capacity, merchants_known, best_intent } = input;
  return {
    time: round(awakeness(hour)),
    physical: physicalLayer(input),
    human_energy: round(clamp(1 - 0.5 * stress - 0.4 * (1 - ramp(crowd, 0.03, 0.2)))),
    merchant_state: merchants_known ? merchantLayer(spare_capacity) : null,
    attention_density: attentionLayer(moment.signal_saturation),
    intent: round(0.7 + 0.3 * ramp(best_intent, 0.4, 0.85)),
    temporal: round((moment.window_ends_at === null ? NO_WINDOW : 1) * (1 - 0.4 * moment.fragility)),
  };
}

/** What is measured of rain, heat and air; null where none of it is. Heavy rain alone brings it to the threshold. */
function physicalLayer({ rain, heat, air }: Pick<ResonanceInput, 'rain' | 'heat' | 'air'>): number | null {
  const costs = [
    [rain, 0.7],
    [heat, 0.15],
    [air, 0.3],
  ] as const;
  const measured = costs.flatMap(([pressure, weight]) => (pressure === null ? [] : [weight * pressure]));
  return measured.length ? round(clamp(measured.reduce((left, cost) => left - cost, 1))) : null;
}

export const attentionLayer = (saturation: number): number => round(1 - saturation);

/** What the temporal layer is at most where no window is likely to hold. */
const NO_WINDOW = 0.75;

/** Neither full nor empty: what closed outlets count as. */
const CLOSED = 0.6;

/**
 * Spare capacity (null: no outlet is open) barely matters at the atmosphere tier; the experience tier needs an open
 * outlet that has some.
 */
export function merchantLayer(spare_capacity: number | null, tier: Tier = 'atmosphere'): number {
  const offered =
    tier === 'experience' ? (spare_capacity === null ? 0 : ramp(spare_capacity, 0, EXPERIENCE_THRESHOLD)) : 1;
  return round((0.85 + 0.15 * (spare_capacity === null ? CLOSED : spare_capacity)) * offered);
}

const measuredLayers = (layers: LayerScores): [ResonanceLayer, number][] =>
  resonanceLayers.flatMap((layer): [ResonanceLayer, number][] => {
    const score = layers[layer];
    return score === null ? [] : [[layer, score]];
  });

export const resonanceScore = (layers: LayerScores): number =>
  round(
    measuredLayers(layers).reduce((product, [, score]) => product * score, 1),
    4,
  );

/** Resonance as it is published: the product of the layers, whether it reaches the threshold, when it ends and why. */
export function publishedResonance(layers: LayerScores, moment: Pick<Moment, 'expires_at'>) {
  const score = resonanceScore(layers);
  return {
    score,
    should_surface: score >= RESONANCE_THRESHOLD,
    threshold: RESONANCE_THRESHOLD,
    decay_at: iso(moment.expires_at),
    decay_reason: `the moment is ending; ${weakestLayer(layers).replaceAll('_', ' ')} is weakest`,
    layers: Object.fromEntries(
      resonanceLayers.map((layer) => [
        layer,
        { score: layers[layer], reasoning: layerReasoning(layer, layers[layer]) },
      ]),
    ) as Record<ResonanceLayer, { score: number | null; reasoning: string }>,
  };
}

/** Of those that were measured; `time` always is. */
export const weakestLayer = (layers: LayerScores): ResonanceLayer =>
  measuredLayers(layers).reduce((weakest, layer) => (layer[1] < weakest[1] ? layer : weakest))[0];

interface Reasoning {
  weak: string;
  middling: string;
  strong: string;
  /** Scores below the first bound are weak, from the second on strong. Layers with a narrow range have their own. */
  bounds?: [number, number];
}

const reasonings: Record<ResonanceLayer, Reasoning> = {
  time: {
    weak: 'an hour when people sleep',
    middling: 'the edge of the waking day',
    strong: 'well within the waking day',
  },
  physical: {
    weak: 'rain or heavy air keeps people in',
    middling: 'the weather is bearable',
    strong: 'the weather is no obstacle',
  },
  human_energy: {
    weak: 'the street is strained or empty',
    middling: 'some strain in the street',
    strong: 'people are about and at ease',
  },
  merchant_state: {
    weak: 'little or no room',
    middling: 'neither full nor empty, or not open',
    strong: 'room to spare',
    bounds: [0.89, 0.945],
  },
  attention_density: {
    weak: 'much was said here lately',
    middling: 'something was said here lately',
    strong: 'little or nothing was said here lately',
  },
  intent: {
    weak: 'the hour suits few intents',
    middling: 'the hour suits some intents',
    strong: 'the hour suits an intent well',
    bounds: [0.78, 0.92],
  },
  temporal: {
    weak: 'the window is short or fragile',
    middling: 'the window may hold',
    strong: 'the window is long and steady',
  },
};

export function layerReasoning(layer: ResonanceLayer, score: number | null): string {
  if (score === null) return 'not measured here';
  const { weak, middling, strong, bounds = [0.7, 0.92] } = reasonings[layer];
  return score < bounds[0] ? weak : score < bounds[1] ? middling : strong;
}
