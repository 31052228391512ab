// Scores computed again from a forecast and its outcome (docs/formulas.md, "Projection and its score", "Side forecasts").

import { KIND } from './facts.ts';
import type { KnownGenerator } from './generators.ts';

/** What was forecast or observed: a state with its calm, or a chance or level alone. `state` is any number for a name. */
export interface StateValue {
  state: number;
  value: number;
}

/** Scores have three decimals, so that two computations of one differ by less than this. */
const TOLERANCE = 0.0011;
const MAX_CALM_ERROR = 0.2 + 1e-9;

export const round = (value: number, places = 3): number =>
  Math.round(value * 10 ** places) / 10 ** places + 0;

/** Null: nothing to average. */
export const roundedShare = (part: number, whole: number): number | null =>
  whole > 0 ? round(part / whole) : null;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

type Formula = (error: number, isSameState: boolean) => number;
type ForecastKind = (typeof KIND)[KnownGenerator['kind']];

const formulas: Readonly<Record<number, Formula>> = {
  [KIND.state]: (error, isSameState) => (isSameState ? 0.6 : 0) + 0.4 * (1 - clamp((error - 0.1) / 0.4)),
  [KIND.chance]: (error) => 1 - error,
  [KIND.level]: (error) => clamp(1 - error / 0.4),
} satisfies Record<ForecastKind, Formula>;

export const isForecast = (kind: number): boolean => kind in formulas;

export const forecastScore = (kind: number, forecast: StateValue, observed: StateValue): number =>
  formulas[kind]?.(Math.abs(forecast.value - observed.value), forecast.state === observed.state) ??
  Number.NaN;

/** Whether a score does not follow from what was forecast and observed. Both are NaN where nothing was observed. */
export function isWrongScore(
  kind: number,
  forecast: StateValue,
  observed: StateValue,
  score: number,
): boolean {
  if (Number.isNaN(observed.value)) return !Number.isNaN(score);
  return !(Math.abs(forecastScore(kind, forecast, observed) - score) <= TOLERANCE);
}

/** Of the benchmark: the same state, and a calm at most 0.2 off. */
export const isHit = (forecast: StateValue, observed: StateValue): boolean =>
  forecast.state === observed.state && Math.abs(forecast.value - observed.value) <= MAX_CALM_ERROR;
