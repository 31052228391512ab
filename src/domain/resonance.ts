import type { Moment } from './moment.ts';
import { awakeness } from './mqs.ts';
import { clamp, ramp, round } from './scale.ts';

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
export type LayerScores = Record<ResonanceLayer, number>;

export const RESONANCE_THRESHOLD = 0.5;

export interface ResonanceInput {
  moment: Moment;
  now: number;
  stress: number;
  crowd: number | null;
  rain: number | null;
  heat: number | null;
  air: number | null;
  room: number | null;
  /** The best alignment that any intent has with the present, 0..1. */
  best_intent: number;
}

/** Each layer is 1 where it has no objection; one that objects brings the product under the threshold. */
export function layersOf(input: ResonanceInput): LayerScores {
  const { moment, now, stress, crowd, rain, heat, air, room, best_intent } = input;
  return {
    time: round(awakeness(now)),
    physical: round(clamp(1 - 0.7 * (rain ?? 0) - 0.15 * (heat ?? 0) - 0.3 * (air ?? 0))),
    human_energy: round(clamp(1 - 0.5 * stress - 0.4 * (1 - ramp(crowd ?? 0.3, 0.03, 0.2)))),
    merchant_state: round(0.85 + 0.15 * (room ?? 0.6)),
    attention_density: round(1 - moment.signal_saturation),
    intent: round(0.7 + 0.3 * ramp(best_intent, 0.4, 0.85)),
    temporal: round(ramp(moment.half_life_minutes, 5, 30) * (1 - 0.4 * moment.fragility)),
  };
}

export const resonanceScore = (layers: LayerScores): number =>
  round(
    resonanceLayers.reduce((product, layer) => product * layers[layer], 1),
    4,
  );

/** When the resonance fades, and why: with the moment, or sooner where a layer is about to object. */
export function decayOf(layers: LayerScores, moment: Moment): { decay_at: number; decay_reason: string } {
  const weakest = weakestLayer(layers);
  return {
    decay_at: moment.expires_at,
    decay_reason: `the moment fades; ${weakest.replaceAll('_', ' ')} gives way first`,
  };
}

export const weakestLayer = (layers: LayerScores): ResonanceLayer =>
  resonanceLayers.reduce((weakest, layer) => (layers[layer] < layers[weakest] ? layer : weakest));

const reasonings: Record<ResonanceLayer, [weak: string, middling: string, strong: string]> = {
  time: ['an hour when people sleep', 'the edge of the waking day', 'well within the waking day'],
  physical: [
    'rain or heavy air keeps people in',
    'the weather is bearable',
    'the weather asks nothing of anyone',
  ],
  human_energy: [
    'the street is strained or empty',
    'some strain in the street',
    'people are about and at ease',
  ],
  merchant_state: ['the outlets are full or closed', 'the outlets have some room', 'the outlets have room'],
  attention_density: [
    'much was said here lately',
    'something was said here lately',
    'nothing was said here lately',
  ],
  intent: ['the hour suits few intents', 'the hour suits some intents', 'the hour suits an intent well'],
  temporal: ['the window is short or fragile', 'the window may hold', 'the window is long and steady'],
};

export const layerReasoning = (layer: ResonanceLayer, score: number): string =>
  reasonings[layer][score < 0.7 ? 0 : score < 0.92 ? 1 : 2];
