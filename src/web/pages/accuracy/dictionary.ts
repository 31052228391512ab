// The data dictionary: what each column of the tables that can be downloaded here means.
import { type Html, html } from '../../parts/html.ts';

/** The last column of every table. */
const substrate =
  'Where the signals came from: simulated (a model of the city), live (measured) or replay (measured on another day).';

/** Columns of /api/predictions as CSV, in their order. */
export const predictionColumns: Readonly<Record<string, string>> = {
  id: 'Id of the forecast: pocket, time of sealing in UTC, generator. /ledger/<id> has its proof.',
  pocket_id: 'The pocket.',
  generator: 'What made the forecast.',
  prediction_type: 'What is forecast; other is the state of the pocket.',
  prediction_key: 'The outcome that is forecast, the same for every forecast of it.',
  horizon_minutes: 'How far ahead it looks, in minutes.',
  sealed_at: 'The quarter hour at which it was made, UTC.',
  reveal_at: 'The time that it is for, UTC.',
  written_at: 'The real time at which it was written into the ledger, UTC.',
  backfilled:
    'true: written afterwards, as history of a simulated city. Such a row is not proof of foresight.',
  confidence: 'The stated probability that it comes true, 0 to 1.',
  completeness: 'The share of the expected signals that were fresh when it was made, 0 to 1.',
  shadow: 'true: of a generator on trial, left out of the figures on this page.',
  expected: 'What was forecast: a state, or a probability or level from 0 to 1.',
  baseline_expected: 'What the naive baseline said about the same outcome.',
  revealed: 'Whether the outcome has been written.',
  revealed_at: 'When it was, UTC; empty before.',
  actual:
    'What was observed: a state, or a level from 0 to 1; empty if nothing was observed within 15 minutes.',
  accuracy_score: 'How right the forecast was, 0 to 1. At 0.5 or more it came true; empty: inconclusive.',
  baseline_score: 'The score of the naive baseline on the same outcome.',
  persistence_score:
    'The score of persistence, which expects what was observed at sealing to last; empty without a reading.',
  last_week_score: 'The score of what was observed seven days before the outcome; empty without a reading.',
  error_type: 'Why a forecast missed; empty if it came true.',
  payload_hash: 'SHA-256 of the sealed payload as canonical JSON (RFC 8785).',
  substrate,
};

/** Columns of /api/accuracy-periods as CSV, in their order. */
export const periodColumns: Readonly<Record<string, string>> = {
  period: 'The day, ISO week or month of sealing, by the calendar of the city.',
  from: 'Its first moment, UTC.',
  to: 'Its end, UTC, not included; for the present period, the end of the current quarter hour.',
  pocket_id: 'The pocket; empty: all of them.',
  state_accuracy: 'The share of all state forecasts that came true, 0 to 1; empty if none was scored.',
  state_baseline: 'The same share for the naive baseline, on the same forecasts.',
  state_same_hour_last_week:
    'The share that repeating what was observed seven days before would have got right; empty without such readings.',
  state_n: 'How many state forecasts were scored.',
  state_waking_accuracy: 'The share of the state forecasts for a time from 07:00 to 23:00 that came true.',
  state_waking_n: 'How many of those were scored.',
  state_night_accuracy: 'The same share for a time from 23:00 to 07:00.',
  state_night_n: 'How many of those were scored.',
  state_brier_score: 'Their Brier score: the mean of (confidence − outcome)².',
  confident_accuracy: 'The share of the confident forecasts of every kind that came true.',
  confident_baseline: 'The same share for the naive baseline, on the same forecasts.',
  confident_n: 'How many confident forecasts were scored.',
  substrate,
};

export const dataDictionary = (): Html => html`
<h2 id="dictionary">Data dictionary</h2>
${[
  ['Columns of the forecasts (CSV)', predictionColumns] as const,
  ['Columns of the figures over time (CSV)', periodColumns] as const,
].map(
  ([title, columns]) =>
    html`<details><summary>${title}</summary><dl class="terms">${Object.entries(columns).map(
      ([name, meaning]) => html`<dt><code>${name}</code></dt><dd>${meaning}</dd>\n`,
    )}</dl></details>`,
)}`;
