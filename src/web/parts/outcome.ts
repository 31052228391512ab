// Forecasts, what was observed, and verdicts on both, as pages show them.
import type { PredictionEntry } from '../../operations/prediction/prediction-fields.ts';
import { scalar } from './format.ts';
import { type Html, html } from './html.ts';
import { stateWords } from './place-words.ts';

type Forecast = PredictionEntry['prediction_payload']['forecast'];
type Observation = PredictionEntry['actual_observation'];

/** A state with its calm, or a chance or level. */
export const forecastText = (forecast: Forecast): string =>
  'expected_state' in forecast
    ? `${stateWords[forecast.expected_state]}, calm level ${scalar(forecast.expected_calm)}`
    : scalar(forecast.expected);

export function observedText(observation: Observation): string {
  if (!observation) return 'Not observed in time';
  return 'primary_state' in observation
    ? `${stateWords[observation.primary_state]}, calm level ${scalar(observation.calm)}`
    : scalar(observation.outcome);
}

/** Null where there is no verdict yet, or none is possible. */
export const verdictMark = (right: boolean | null): Html =>
  right === null
    ? html`<span class="verdict">Open</span>`
    : right
      ? html`<span class="verdict right">Right</span>`
      : html`<span class="verdict wrong">Wrong</span>`;
