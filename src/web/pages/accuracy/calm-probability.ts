// Whether "likely calm" can be relied on: of the forecasts that stated a calm probability, how many were right, by tenths.
import { calibrationChart } from '../../charts/chart.ts';
import { count, MIN_SHARE_COUNT, percent, shareOfN } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { figureColumns, table } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import type { AccuracyAnswers, Report } from './question.ts';

type Horizon = Report['calm_reliability'][number];

export function calmPart({ asked, report: { calm_reliability: horizons } }: AccuracyAnswers): Html {
  const title = html`<h2 id="calm">When it says “likely calm”</h2>`;
  if (asked.pocket_id !== undefined)
    return html`${title}
<p>Counted over <a href="/accuracy?since=${asked.since}#calm">all pockets together</a>: a single pocket has too few forecasts in each tenth.</p>`;
  if (!horizons.length) return html`${title}<p>Too few forecasts have been scored to say.</p>`;
  return html`${title}
<p>The chance of calm that pages and answers state for the next hours is sealed with each ${term('state forecast')}. Here is how often the pocket then turned out to be in a calm state, for each tenth of the stated chance. ${surest(horizons)}</p>
${horizons.map(horizonChart)}`;
}

/** What came of the highest tenth, in waking hours, an hour ahead. */
function surest([horizon]: readonly Horizon[]): string {
  const last = horizon?.tenths.at(-1);
  if (!horizon || !last || last.n < MIN_SHARE_COUNT) return '';
  const { waking_hours: waking } = last;
  const awake =
    waking.n < MIN_SHARE_COUNT ? '' : `; in waking hours ${percent(waking.was_calm)} of ${count(waking.n)}`;
  return `Where 90\u00a0% or more was stated ${horizon.horizon_minutes} minutes ahead, it was calm in ${percent(last.was_calm)} of ${count(last.n)} cases${awake}.`;
}

function horizonChart({ horizon_minutes: minutes, tenths }: Horizon): Html {
  const known = tenths.flatMap(({ n, stated, was_calm }) =>
    n < MIN_SHARE_COUNT || stated === null || was_calm === null
      ? []
      : [{ said: stated, observed: was_calm, n }],
  );
  return html`<h3 id="calm-${minutes}">${minutes} minutes ahead</h3>
${calibrationChart({
  id: `calm-${minutes}-chart`,
  title: `How often it was calm, by the calm probability stated ${minutes} minutes ahead`,
  about:
    'Across: the mean probability that was stated. Up: how often it was calm. On the diagonal the two agree.',
  from: 0,
  points: known,
  columns: ['Stated', ...figureColumns('Was calm', 'n', 'Waking hours', 'Their n')],
  rows: tenths
    .filter(({ n }) => n > 0)
    .map(({ from, n, stated, was_calm, waking_hours: waking }) => ({
      at: stated ?? 0,
      cells: [
        tenthLabel(from),
        shareOfN(was_calm, n),
        count(n),
        shareOfN(waking.was_calm, waking.n),
        count(waking.n),
      ],
    })),
})}`;
}

/** 0.9 as '90–100 %'. */
const tenthLabel = (from: number): string =>
  `${Math.round(100 * from)}–${Math.round(100 * from) + 10}\u00a0%`;

const windowNames: Record<Report['calm_windows'][number]['kind'], string> = {
  now: 'Open when they were shown',
  later: 'To begin within the next two hours',
  usual: 'Usual for their hours, not a forecast',
};

/** How many of the windows that pages and answers name held to their end. */
export function windowsPart({ report: { calm_windows } }: AccuracyAnswers): Html {
  const title = html`<h2 id="windows">When it names an end</h2>`;
  if (!calm_windows.length) return html`${title}<p>No calm window was shown.</p>`;
  return html`${title}
<p>A ${term('calm window')} is shown where windows with similar chances held on other days. It held if no two successive readings before the end that was named were outside a calm state. One is counted for each waking quarter hour in which it was shown; of the usual ones, one for each full hour.</p>
${table(
  'Calm windows that held',
  ['Windows', ...figureColumns('Shown', 'Held', 'Share')],
  calm_windows.map(({ kind, shown, held, held_share }) => ({
    cells: [
      windowNames[kind],
      count(shown),
      count(held),
      shown < MIN_SHARE_COUNT ? 'too few' : percent(held_share),
    ],
  })),
)}`;
}
