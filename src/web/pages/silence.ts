import { wakingTimeText } from '../../domain/stats/waking-time.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { cellsText } from '../../domain/verdict/decision-cells.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getSilenceCounts } from '../../operations/decision/get-silence-counts.ts';
import { listSilenceVindications } from '../../operations/decision/list-silence-vindications.ts';
import { getNewestReading } from '../../operations/report/get-newest-reading.ts';
import { barChart, niceStep } from '../charts/chart.ts';
import { count, duration, ofN, percent, spacedName, wakingTimeFact } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { windowInput, windowLabels, windowLinks } from '../parts/option-links.ts';
import { cellsFacts, cellsTable, verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { pageOfPockets, pocketPageInput, pocketPager } from '../parts/pocket-pages.ts';
import { newestReadingLine } from '../parts/reading-age.ts';
import { bars, facts, figureColumns, meter, table } from '../parts/table.ts';
import { clockTime, formatDate } from '../parts/times.ts';

export const silenceQuestion = composeOperations(
  'page_silence',
  { ...windowInput, ...pocketPageInput },
  ({ window }) => ({
    counts: bindArguments(getSilenceCounts, { window }),
    newest: bindArguments(getNewestReading),
    judged: bindArguments(listSilenceVindications, { since: '1d', revealed_only: true, limit: 24 }),
  }),
);

type Answers = AnswerOf<typeof silenceQuestion>;

export function silencePage(site: Site, { asked, counts, judged, newest }: Answers): string {
  const { waking_time, decisions_judged } = counts;
  const listed = pageOfPockets(site, counts.per_pocket, ({ pocket_id }) => pocket_id, asked);
  const most = Math.max(1, ...counts.per_pocket.map((row) => row.count));
  return renderPage(site, {
    title: 'Silence',
    about:
      'For how much of waking time a line was live, how often nothing was said and why, and whether staying silent was right.',
    path: '/silence',
    body: html`
<h1>${waking_time.share_said === null ? 'Nothing has been decided yet' : `A line was live for ${percent(waking_time.share_said)} of waking time`}</h1>
<p class="lead">Each quarter hour from 07:00 to 23:00 the service drafts a line for every pocket that has none live, and publishes it only if it is worth attention. These are the figures for ${windowLabels[asked.window]}: ${wakingTimeText(waking_time)}, summed over pockets.</p>
${windowLinks('/silence', asked.window)}
${facts([
  wakingTimeFact(waking_time),
  [
    'Silences',
    count(counts.total_silenced),
    counts.silence_rate === null ? null : `${percent(counts.silence_rate)} of the decisions in waking hours`,
  ],
  ...cellsFacts(decisions_judged),
  [
    'Attention not taken',
    duration(counts.attention_minutes_preserved),
    'an estimate, from silences that were right',
  ],
  ['Could not be judged', count(decisions_judged.inconclusive), 'lines and silences'],
  ['Line still live', count(counts.already_speaking_count), 'quarter hours, not counted as silences'],
  ['Quiet hours', count(counts.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
])}
<h2 id="reasons">For which reason</h2>
<p>Each silence has one reason: the first check that failed.</p>
${bars(
  'Silences by reason',
  counts.per_reason.map(({ gate, reason_text, count: n }) => ({
    label: html`${sentenceCase(reason_text)} <small>Gate: ${spacedName(gate)}</small>`,
    share: n / Math.max(1, counts.total_silenced),
    value: count(n),
  })),
)}
<h2 id="days">Day by day</h2>
${newestReadingLine(newest.newest_reading_at, newest.as_of, site.zone)}
${daily(site, counts.daily_counts)}
<h2 id="judged">Judged in the last day</h2>
<p>At the end that the drafted line would have named, or an hour later where it named none, what happened decides whether the silence was right. Newest first:</p>
${
  judged.entries.length
    ? table(
        'Silences judged in the last day',
        [
          'Pocket',
          'At',
          'Was it right?',
          { name: 'Reason', text: true },
          { name: 'Verdict because', text: true },
          { name: 'More', unseen: true },
        ],
        judged.entries.map((entry) => ({
          cells: [
            pocketLink(site, entry.pocket_id),
            clockTime(entry.sealed_at, site.zone),
            verdictMark(entry.vindicated),
            entry.reason_text,
            entry.verdict_reason ?? '',
            html`<a href="/explanations/silence:${entry.id}">Explanation</a>`,
          ],
        })),
      )
    : html`<p>None from the last day has been judged yet.</p>`
}
<h2 id="pockets">By pocket</h2>
${pocketPager(site, '/silence', 'pockets', asked, listed, { window: asked.window })}
${table(
  'Silences by pocket',
  [
    'Pocket',
    { name: 'Bar', unseen: true },
    ...figureColumns(
      'Waking time with a line live',
      'Silences',
      'Spoke and it served',
      'Spoke and it did not',
      'Silent and right',
      'Silent and wrong',
      'Could not be judged',
      'Attention not taken',
    ),
  ],
  listed.rows.map(({ pocket_id, count: n, ...row }) => ({
    cells: [
      pocketLink(site, pocket_id),
      meter(n / most),
      percent(row.waking_time.share_said),
      count(n),
      count(row.decisions_judged.spoke_served),
      count(row.decisions_judged.spoke_failed),
      count(row.decisions_judged.silent_right),
      count(row.decisions_judged.silent_wrong),
      count(row.decisions_judged.inconclusive),
      duration(row.attention_minutes_preserved),
    ],
  })),
)}
<h2 id="decisions">Spoke or silent, right or wrong</h2>
<p>Lines and silences are judged by one rule: ${cellsText(decisions_judged)}. Each pocket has its own above. <a href="/trust?window=${asked.window}#failures">What went wrong</a></p>
${cellsTable('Verdicts on decisions', 'Pockets', [{ name: 'All pockets', cells: decisions_judged }])}
<p class="note"><a href="/api/silence?window=${asked.window}">JSON</a> · Every verdict: <a href="/api/silence-vindications?since=30d&amp;format=csv">CSV</a>, <a href="/api/silence-vindications">JSON</a> · <a href="/api/explanations">Every decision (JSON)</a> · <a href="/ledger?type=silence#entries">Sealed silences</a> · <a href="/docs">API docs</a></p>`,
  });
}

function daily(site: Site, days: Answers['counts']['daily_counts']): Html {
  const most = Math.max(1, ...days.map((day) => day.count));
  const every = Math.max(1, Math.ceil(days.length / 6));
  // From the end: the last bar is today.
  const dayLabel = (at: number) => {
    const before = days.length - 1 - at;
    if (before % every !== 0) return undefined;
    return before === 0 ? 'today' : formatDate(days[at]?.date ?? '').slice(0, -5);
  };
  const step = niceStep(most);
  const top = Math.ceil(most / step) * step;
  return barChart({
    id: 'silence-days',
    title: 'Silences by day',
    about: `Silences each day in ${site.registry.city.name}, ${ofN(days.reduce((sum, day) => sum + day.count, 0))}. The first and the last day are incomplete. A day that was not observed is a gap.`,
    kind: 'calm',
    y: {
      from: 0,
      to: top,
      ticks: Array.from({ length: top / step + 1 }, (_, i) => ({ at: i * step, label: count(i * step) })),
    },
    bars: days.map((day, at) => ({
      value: wasObserved(day) ? day.count : null,
      label: dayLabel(at),
    })),
    columns: ['Day', { name: 'Silences', figures: true }],
    rows: days.map((day, at) => ({
      at,
      cells: [formatDate(day.date), wasObserved(day) ? count(day.count) : 'not observed'],
    })),
  });
}

/** Every quarter hour of a pocket that was observed is a silence, a pause or a line. */
const wasObserved = (day: Answers['counts']['daily_counts'][number]): boolean =>
  day.count + day.quiet_hours_count + day.already_speaking_count > 0;
