/**
 * What makes one kind of forecast: a record of what it seals, and of how that is revealed and scored. Sealing, revealing,
 * reports and `pocketwatch verify` are loops over the list of these records (generators/all.ts).
 */
import type { PrimaryState } from '../atmosphere/primary-state.ts';
import type { Forecast } from '../forecaster/index.ts';
import type { NumberTable } from '../stats/number-table.ts';
import type { ErrorType, Miss } from './error-taxonomy.ts';
import type { Observation, PredictionPayload, SealedForecast } from './prediction.ts';

/**
 * What is forecast, and with it the formula of the score: `verify` has each of them a second time. A state may be scored by
 * a reading a quarter hour off; a chance of 0 or 1 and a level are scored at their time or not at all, and learned from.
 */
export type ForecastKind = 'state' | 'chance' | 'level';

export interface Generator<Payload extends PredictionPayload = PredictionPayload> {
  /** The last part of a forecast's id, by which its accuracy is reported. */
  name: string;
  kind: ForecastKind;
  /** The `prediction_type` of its payloads. */
  type: Payload['prediction_type'];
  /** In minutes. */
  horizon: number;
  /** On trial: sealed and scored, but left out of reports unless asked for. */
  shadow: boolean;
  /** How often it is sealed, in milliseconds. */
  every: number;
  /** The part of a payload that is its own; null where there is nothing to forecast. The baseline is sealed with it. */
  forecast(at: Sealing): OwnPart<Payload> | null;
  /** Null where too little was observed. */
  reveal(payload: Payload, observed: Observed): Scores | null;
}

type OwnPart<Payload> = Payload extends unknown
  ? Omit<Payload, Exclude<keyof SealedForecast, 'confidence'>>
  : never;

/** What is known of a pocket when a forecast is made. */
export interface Conditions {
  /** The hour of the local clock, with the fraction. */
  hour: number;
  calm: number;
  primary_state: PrimaryState;
  /** In the last quarter hour. */
  rain_mm: number | null;
  /** Movement friction, 0..1; null where it was not measured. */
  friction: number | null;
  /** Mean spare capacity of the open outlets, 0..1; null when none is open. */
  spare_capacity: number | null;
  /** The gate that closed; null when the service spoke. */
  gate: string | null;
}

/** Number and sum of the outcomes under one condition. */
export interface OutcomeSum {
  n: number;
  sum: number;
}
/** Number and sum, by what the outcomes were filed under. */
export type OutcomeSums = NumberTable;

export interface Sealing extends Conditions {
  /** What the forecaster expects at the horizon; undefined where it does not forecast. */
  expected: Forecast | undefined;
  /** The local clock at the horizon, and its kind of day. */
  due: { hour: number; rest: boolean };
  /** Of a chance or level, the outcomes of the generator in this pocket so far, see `OutcomeSums`. */
  past: OutcomeSums;
}

/** The reading of a pocket at a slot, with the measurements that a reveal needs. */
export interface ObservedOutcome {
  primary_state: PrimaryState;
  calm: number;
  rain_mm: number | null;
  crowd: number | null;
  movement_friction: number | null;
  spare_capacity: number | null;
}

export type StateReading = Pick<ObservedOutcome, 'primary_state' | 'calm'>;

/** What was observed of a pocket by the time that a forecast was for. */
export interface Observed extends Pick<Miss, 'crowd_deviation' | 'spoke' | 'network_state'> {
  /** At that time, or a quarter hour before; null where nothing was read. */
  actual: ObservedOutcome | null;
  /** A quarter hour before. */
  before: ObservedOutcome | null;
  /** The same hour a week before. */
  lastWeek: StateReading | null;
  /** The extremes since it was sealed; null where too little was read. This and the next two not of a state. */
  since: { least_calm: number; most_rain: number | null } | null;
  /** When it was sealed. */
  atSealing: ObservedOutcome | null;
  /** Of a silence that was sealed with it: 1 if it was right; null where there was none, or it cannot be told. */
  silence_right: number | null;
}

export interface Scores {
  actual_observation: Observation;
  accuracy_score: number;
  baseline_score: number;
  /** Of two simple rules on the same outcome (docs/formulas.md, "Simple rules"); stored, not sealed. */
  persistence_score: number | null;
  last_week_score: number | null;
  error_type: ErrorType | null;
}
