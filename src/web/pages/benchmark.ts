// The page of the benchmark: the leaderboard, how to compete, and how entries are scored.

import { primaryStates } from '../../domain/atmosphere/primary-state.ts';
import { serviceLead, splitText } from '../../domain/prediction/accuracy-text.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { SERVICE_NAME } from '../../domain/prediction/submitter-name.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getBenchmarkLeaderboard } from '../../operations/prediction/get-benchmark-leaderboard.ts';
import { citationPart } from '../parts/citation.ts';
import { count, percent, percentagePoints } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { figureColumns, table } from '../parts/table.ts';
import { dateOnly } from '../parts/times.ts';
import { copyable } from '../share/copyable.ts';

export const benchmarkQuestion = composeOperations('page_benchmark', {}, () => ({
  board: bindArguments(getBenchmarkLeaderboard, { limit: 100 }),
}));

type Answers = AnswerOf<typeof benchmarkQuestion>;
type Entry = Answers['board']['leaderboard'][number];

export const benchmarkPage = (site: Site, { board }: Answers): string =>
  renderPage(site, {
    title: 'Benchmark',
    about: 'Forecasters compared with each other on the same pockets and hours. Anybody may compete.',
    path: '/benchmark',
    body: html`
<h1>Benchmark: who forecasts best</h1>
<p class="lead">Anybody may send forecasts. They are sealed at once, scored when their window has closed, and listed with the service itself and a naive baseline.</p>
<ol>
<li><a href="#submit">Send forecasts</a> of the state and the calm of pockets, up to 7 days ahead. No key is needed.</li>
<li>Keep the receipt: <a href="/ledger#q">the ledger checks it</a>, so that neither side can change what was sent.</li>
<li>When the window has closed, the forecasts are scored <a href="#method">by the same rules</a> as those of the service.</li>
</ol>
<h2 id="leaderboard">Leaderboard</h2>
${referenceSplit(board.leaderboard)}
${board.leaderboard.length ? leaderboard(site, board) : html`<p>Nothing has been scored yet.</p>`}
<p class="note">Ordered by silence correctness, then accuracy. Differences are in percentage points on the same forecasts: “service ahead” is above 0 where the service was right more often, “ahead of naive” where the row was. Names are the submitters' own words. References cover the last 7 days.</p>
<h2 id="terms">Terms</h2>
<dl class="terms">
<dt id="hit">Hit</dt><dd>The right state, with a calm at most 0.2 from what was observed.</dd>
<dt id="accuracy">Accuracy</dt><dd>Hits, of all times that an item was scored (n). The range is Wilson's 95\u00a0% interval; forecasts of neighbouring hours resemble each other, so the true range is somewhat wider.</dd>
<dt id="silence-correctness">Silence correctness</dt><dd>Of the items that name a calm state, the share where the pocket was calm.</dd>
<dt id="brier">Brier score</dt><dd>The mean of (confidence − hit)², where a hit is 1 and a miss is 0; lower is better. The API calls it <code>calibration_error</code>.</dd>
<dt id="naive">Naive baseline</dt><dd>A fixed guess from the hour, the kind of day and the rain, sealed with each forecast of the service. It states no confidence, so it has no Brier score.</dd>
<dt id="references">Reference</dt><dd>A row of the service itself or of the naive baseline, scored in the same way.</dd>
</dl>
<h2 id="submit">How to submit</h2>
<p>A submission is a window and up to 1,000 items, each a state and a calm for one pocket and one horizon.</p>
${copyable(example(site), 'Command')}
<p>The answer has a <code>submission_id</code>. Its scores are at <code>/api/benchmark/scores/&lt;submission_id&gt;</code>, its seal and its proof at <code>/ledger/&lt;submission_id&gt;</code>. Over MCP the tool is <a href="/docs#submit_benchmark_predictions">submit_benchmark_predictions</a>.</p>
<h2 id="method">How it is scored</h2>
<ul>
<li>An item is scored on every state forecast of its pocket and horizon (${HORIZONS.join(', ')} minutes) that is sealed after the submission and comes due within its window. Nobody can forecast the past.</li>
<li>Items stay hidden behind their hash until the window has closed. A submission can be neither edited nor withdrawn. E-mail and description are not stored.</li>
<li>States: ${primaryStates.join(', ')}.</li>
</ul>
<h2 id="downloads">Downloads</h2>
<ul>
<li>The leaderboard: <a href="/api/benchmark/scores?format=csv">CSV</a> · <a href="/api/benchmark/scores">JSON</a></li>
<li>Outcomes to train on: forecasts of the service with what was observed, <a href="/api/predictions?since=30d&amp;revealed=only&amp;format=csv">CSV</a> · <a href="/api/predictions?revealed=only">JSON</a></li>
<li>Submissions <a href="/ledger?type=submission#entries">in the ledger</a></li>
<li>Data dictionary: <a href="#terms">terms</a> and <a href="/docs/api/benchmark/scores">fields</a> of the leaderboard, <a href="/accuracy#dictionary">columns of the forecasts</a></li>
</ul>
${citationPart(site, { title: 'Benchmark of forecasts', path: '/benchmark', date: newestDate(site, board.leaderboard) })}`,
  });

const leaderboard = (site: Site, board: Answers['board']): Html =>
  table(
    `Leaderboard, ${count(board.count)} rows`,
    [
      'System',
      ...figureColumns(
        'Rank',
        'Silence right',
        'Accuracy',
        '95\u00a0% range',
        'n',
        'Brier score',
        'Service ahead',
        'Ahead of naive',
      ),
      'Scored',
    ],
    board.leaderboard.map((entry) => ({
      cells: [
        submitterCell(entry),
        entry.rank,
        percent(entry.silence_correctness),
        percent(entry.accuracy),
        rangeText(entry),
        count(entry.scored_count),
        entry.calibration_error === null ? 'none' : entry.calibration_error.toFixed(3),
        percentagePoints(serviceLead(entry.gap_vs_service)),
        percentagePoints(entry.gap_vs_naive),
        dateOnly(entry.scored_at, site.zone),
      ],
    })),
  );

const rangeText = ({ accuracy_range: range }: Entry): string =>
  range === null ? 'not known' : `${(100 * range.low).toFixed(1)}–${percent(range.high)}`;

const newestDate = ({ zone }: Site, board: readonly Entry[]): string | null => {
  const newest = board.map(({ scored_at }) => scored_at).sort();
  const last = newest.at(-1);
  return last === undefined ? null : zone.localDate(Date.parse(last));
};

/** How many of the forecasts behind the service's own row were sealed before their outcome. */
function referenceSplit(board: readonly Entry[]): Html | null {
  const own = board.find(({ reference, submitter_name }) => reference && submitter_name === SERVICE_NAME);
  const { sealed_before_outcome, written_afterwards } = own ?? {};
  if (!sealed_before_outcome || !written_afterwards) return null;
  const split = splitText({ sealed_before_outcome, written_afterwards }, percent, count);
  return html`<p>The references cover the last 7 days of the service's own forecasts: ${split}. A submission is scored only on forecasts sealed after it.</p>`;
}

/** Only reference rows are marked, so that no submitter can pass for one by its name. */
const submitterCell = ({ submitter_name, reference, submission_id }: Entry): Html =>
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
