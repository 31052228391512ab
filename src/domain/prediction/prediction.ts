/**
 * What every sealed forecast has in common: its types, ids, keys and reveal time (docs/formulas.md, "Sealed
 * forecasts"). Payloads are hashed into the ledger, so names and order of their fields must not change.
 */
import type { Substrate } from '../atmosphere/signal.ts';
import { decisionId } from '../decision/silence.ts';
import { MINUTE } from '../time/sgt.ts';

export const predictionTypes = [
  'quiet_window',
  'rain_comfort',
  'movement_friction',
  'offer_intensity',
  'silence_correctness',
  'other',
] as const;
export type PredictionType = (typeof predictionTypes)[number];

/** The horizons of the state projection, in minutes. */
export const HORIZONS = [60, 120, 180] as const;
export const projectionGenerator = (horizon: number): string => `pocket_projection_${horizon}m`;

/** The sealed payload of any forecast; times are ISO 8601 in UTC. */
export interface PredictionPayload {
  type: 'prediction';
  id: string;
  pocket_id: string;
  generator: string;
  prediction_type: PredictionType;
  prediction_key: string;
  horizon_minutes: number;
  sealed_at: string;
  reveal_at: string;
  confidence: number;
  completeness: number;
  /** True for a forecast on trial: sealed and scored, but left out of reports unless asked for. */
  shadow: boolean;
  substrate: Substrate;
  forecast: object;
  /** The naive forecast of the same outcome, sealed with it. */
  baseline: object;
}

export const predictionId = (pocket_id: string, slot: number, generator: string): string =>
  `${decisionId(pocket_id, slot)}.${generator}`;

const REVEAL = ':reveal';
export const revealId = (predictionId: string): string => `${predictionId}${REVEAL}`;
export const isRevealId = (id: string): boolean => id.endsWith(REVEAL);

/** Identifies the outcome: all forecasts of one outcome share the key, whenever and by whatever they were made. */
export const predictionKey = (pocket_id: string, subject: string, revealAt: number): string =>
  `${subject}:${decisionId(pocket_id, revealAt)}`;

export const revealTime = (slot: number, horizonMinutes: number): number => slot + horizonMinutes * MINUTE;
