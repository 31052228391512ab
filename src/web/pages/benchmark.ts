import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { splitText } from '../../domain/prediction/accuracy-text.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import {
  getBenchmarkLeaderboard,
  SERVICE_NAME,
} from '../../operations/prediction/get-benchmark-leaderboard.ts';
import { count, percent, percentagePoints } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { dateOnly } from '../parts/times.ts';

export const benchmarkQuestion = composeOperations('page_benchmark', {}, () => ({
  board: bindArguments(getBenchmarkLeaderboard, { limit: 100 }),
}));

type Answers = AnswerOf<typeof benchmarkQuestion>;
type Entry = Answers['board']['leaderboard'][number];

export const benchmarkPage = (site: Site, { board }: Answers): string =>
  renderPage(site, {
    title: 'benchmark',
    about: 'forecasters compared with each other on the same pockets and hours.',
    path: '/benchmark',
    body: html`
<h1>who forecasts best</h1>
<p class="lead">anyone may send forecasts. they are sealed at once, scored when their window has closed, and stand on the board beside the service itself and a naive baseline.</p>
${referenceSplit(board.leaderboard)}
<h2 id="leaderboard">leaderboard</h2>
${
  board.leaderboard.length
    ? table(
        `leaderboard, ${count(board.count)} rows`,
        [
          { name: '#', figures: true },
          { name: 'system' },
          { name: 'silence right', figures: true },
          { name: 'accuracy', figures: true },
          { name: 'calibration error', figures: true },
          { name: 'vs service', figures: true },
          { name: 'vs naive', figures: true },
          { name: 'n', figures: true },
          { name: 'scored' },
        ],
        board.leaderboard.map((entry) => ({
          cells: [
            entry.rank,
            nameOf(entry),
            percent(entry.silence_correctness),
            percent(entry.accuracy),
            entry.calibration_error === null ? 'not known' : entry.calibration_error.toFixed(3),
            percentagePoints(entry.gap_vs_service),
            percentagePoints(entry.gap_vs_naive),
            count(entry.scored_count),
            dateOnly(entry.scored_at, site.zone),
          ],
        })),
      )
    : html`<p>nothing has been scored yet.</p>`
}
<p class="note">ordered by silence correctness, then accuracy; differences are in points of 100. names are the words of whoever submitted. references are over the last 7 days. <a href="/api/benchmark/scores">for machines</a></p>
<h2 id="submit">how to submit</h2>
<p>a submission is a window and up to 1,000 items, each a state and a calm for one pocket and one horizon. no key is needed.</p>
<pre tabindex="0">${example(site)}</pre>
<p>the answer holds a <code>submission_id</code>; what became of it is at <code>/api/benchmark/scores/&lt;submission_id&gt;</code>, its seal at <code>/ledger/&lt;submission_id&gt;</code>. over MCP the tool is <a href="/docs#submit_benchmark_predictions">submit_benchmark_predictions</a>.</p>
<h2 id="method">the method</h2>
<ul>
<li>an item is scored on every state projection of its pocket and horizon (${HORIZONS.join(', ')} minutes) that is sealed after the submission and revealed within its window. nobody forecasts the past.</li>
<li>a hit is the right state with calm within 0.2 of what was observed.</li>
<li>silence correctness: of the items that call a calm state, the share where the pocket was calm.</li>
<li>calibration error: the mean squared difference between confidence and hit. less is better.</li>
<li>vs service and vs naive: accuracy less theirs, on the very same forecasts.</li>
<li>items stay hidden behind their hash until the window has closed. a submission can be neither edited nor withdrawn. e-mail and description are not kept.</li>
</ul>
<p class="note">states: ${primaryStates.join(', ')}.</p>`,
  });

/** How many of the forecasts behind the service's own row were sealed before their outcome. */
function referenceSplit(board: readonly Entry[]): Html | null {
  const own = board.find(({ reference, submitter_name }) => reference && submitter_name === SERVICE_NAME);
  const { sealed_before_outcome, written_afterwards } = own ?? {};
  if (!sealed_before_outcome || !written_afterwards) return null;
  const split = splitText({ sealed_before_outcome, written_afterwards }, percent, count);
  return html`<p>the references are over the last 7 days, of forecasts that the service made itself: ${split}. a submission is scored only on forecasts sealed after it.</p>`;
}

/** Only reference rows are marked, so that no submitter can pass for one by its name. */
const nameOf = ({ submitter_name, reference, submission_id }: Entry): Html =>
  reference
    ? html`<strong>${submitter_name}</strong> <small>reference</small>`
    : html`<a href="/ledger/${submission_id ?? ''}">${submitter_name}</a>`;

function example({ baseUrl, registry }: Site): string {
  const pocket = registry.pockets[0]?.id ?? '';
  return `start=$(date -u +%Y-%m-%dT%H:%M:%SZ)
end=$(date -u -d '+3 hours' +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -v+3H +%Y-%m-%dT%H:%M:%SZ)
curl -s ${baseUrl}/api/benchmark/submit -H 'content-type: application/json' -d '{
  "submitter_name": "a system of mine",
  "prediction_window_start": "'$start'",
  "prediction_window_end": "'$end'",
  "predictions": [{
    "pocket_id": "${pocket}",
    "horizon_minutes": 60,
    "predicted_state": "calm-social",
    "predicted_calm_probability": 0.7,
    "confidence": 0.6
  }]
}'`;
}
