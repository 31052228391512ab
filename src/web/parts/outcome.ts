// Forecasts, what was observed, and verdicts on forecasts and decisions, as pages show them.
import { type JudgedShare, linesJudged, silencesJudged } from '../../domain/verdict/decision-cells.ts';
import type { DecisionCells } from '../../domain/verdict/verdict.ts';
import type { PredictionEntry } from '../../operations/prediction/prediction-fields.ts';
import { count, ofN, scalar, shareOfN } from './format.ts';
import { type Html, html, type Piece } from './html.ts';
import { stateWords } from './place-words.ts';
import { figureColumns, table } from './table.ts';
import { term } from './terms.ts';

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

const cellColumns = figureColumns(
  'Spoke and it served',
  'Spoke and it did not',
  'Silent and right',
  'Silent and wrong',
  'Could not be judged',
);

/** The four cells of decisions and their outcomes, a row for each pocket or month. */
export const cellsTable = (
  caption: string,
  first: string,
  rows: readonly { name: Piece; cells: DecisionCells }[],
): Html =>
  table(
    caption,
    [first, ...cellColumns],
    rows.map(({ name, cells }) => ({
      cells: [
        name,
        ...[cells.spoke_served, cells.spoke_failed, cells.silent_right, cells.silent_wrong].map(count),
        count(cells.inconclusive),
      ],
    })),
  );

/** A share of the decisions judged, where there are enough of them. */
export const judgedShareText = ({ share, n }: JudgedShare): string => shareOfN(share, n);

/** How often lines served and silences were right, as two of the facts of a page. */
export function cellsFacts(cells: DecisionCells) {
  const [lines, silences] = [linesJudged(cells), silencesJudged(cells)];
  return [
    [
      term('served', 'Lines served'),
      judgedShareText(lines),
      `${ofN(lines.n)} judged; ${count(cells.spoke_failed)} failed`,
    ],
    [
      term('verdict', 'Silence was right'),
      judgedShareText(silences),
      `${ofN(silences.n)} judged; ${count(cells.silent_wrong)} wrong`,
    ],
  ] as const;
}
