/**
 * What is sealed of a forecast and of its outcome, and how both are named (docs/formulas.md, "Sealed forecasts").
 * Payloads are hashed into the ledger, so the names of their fields must not change. The ledger adds when it wrote them
 * (`Written`).
 */
import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { decisionId } from '../decision/silence.ts';
import type { Substrate } from '../signals/signal.ts';
import { MINUTE } from '../time/slot.ts';
import type { ErrorType } from './error-taxonomy.ts';
import type { NaiveForecast } from './naive-baseline.ts';
import type { Projection } from './projection.ts';

/** The `prediction_type` of a forecast of the state of a pocket. */
export const STATE_TYPE = 'other';

/** The horizons of the state projection, in minutes. */
export const HORIZONS = [60, 120, 180] as const;
export const projectionGenerator = (horizon: number): string => `pocket_projection_${horizon}m`;

/** The sealed fields that every forecast has; times are ISO 8601 in UTC. */
export interface SealedForecast {
  type: 'prediction';
  id: string;
  pocket_id: string;
  generator: string;
  prediction_key: string;
  horizon_minutes: number;
  sealed_at: string;
  reveal_at: string;
  confidence: number;
  completeness: number;
  /** True for a forecast on trial: sealed and scored, but left out of reports unless asked for. */
  shadow: boolean;
  substrate: Substrate;
}

/** A forecast of the state of a pocket. The naive baseline is sealed with it. */
export interface ProjectionPayload extends SealedForecast {
  prediction_type: typeof STATE_TYPE;
  forecast: Projection;
  baseline: NaiveForecast;
  /** What was observed when it was sealed. */
  known: { primary_state: PrimaryState; calm: number; rain_mm: number | null };
}

/** A forecast of one probability or level, 0..1. Its baseline is the usual outcome. */
export interface SidePayload extends SealedForecast {
  prediction_type: string;
  /** `filed_under` is the condition whose past outcomes it is the mean of. */
  forecast: { expected: number; filed_under: string };
  baseline: { expected: number };
}

export type PredictionPayload = ProjectionPayload | SidePayload;

export const isProjection = (payload: PredictionPayload): payload is ProjectionPayload =>
  payload.prediction_type === STATE_TYPE;

/** What a forecast is scored against: the observed state, or the outcome of the probability or level. */
export type Observation = { primary_state: PrimaryState; calm: number } | { outcome: number };

/** What is sealed when a forecast is revealed. Null where too little was observed to score it. */
export interface RevealPayload {
  type: 'reveal';
  id: string;
  sealed_leaf: number;
  sealed_hash: string;
  revealed_at: string;
  actual_observation: Observation | null;
  accuracy_score: number | null;
  baseline_score: number | null;
  error_type: ErrorType | null;
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
