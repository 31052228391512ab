import { closedGateText } from '../../domain/decision/decision-text.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getSilenceCounts } from '../../operations/decision/get-silence-counts.ts';
import { listSilenceVindications } from '../../operations/decision/list-silence-vindications.ts';
import { getTrustReport } from '../../operations/report/get-trust-report.ts';
import { barChart, niceStep } from '../parts/chart.ts';
import { count, ofN, shareOfN, spacedName } from '../parts/format.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { windowInput, windowLabels, windowLinks } from '../parts/option-links.ts';
import { verdictMark } from '../parts/outcome.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts, meter, table } from '../parts/table.ts';
import { clockTime, formatDate } from '../parts/times.ts';

export const silenceQuestion = composeOperations('page_silence', windowInput, ({ window }) => ({
  counts: bindArguments(getSilenceCounts, { window }),
  trust: bindArguments(getTrustReport, { window }),
  judged: bindArguments(listSilenceVindications, { since: '1d', revealed_only: true, limit: 36 }),
}));

type Answers = AnswerOf<typeof silenceQuestion>;

export function silencePage(site: Site, { asked, counts, trust, judged }: Answers): string {
  const decided = counts.total_silenced + trust.signals_emitted.total;
  const { total_revealed, vindication_rate, missed, inconclusive_count } = trust.silence_correctness;
  return renderPage(site, {
    title: 'silence',
    about: 'how often nothing was said, which gate closed, and whether staying silent was right.',
    path: '/silence',
    body: html`
<h1>${decided ? `${shareOfN(counts.total_silenced / decided, decided)} of decisions were silence` : 'nothing was decided yet'}</h1>
<p class="lead">each quarter hour a line is drafted for every pocket, and mostly not said. over ${windowLabels[asked.window]}:</p>
${windowLinks('/silence', asked.window)}
${facts([
  ['silences', count(counts.total_silenced), `of ${count(decided)} decisions`],
  ['were right', shareOfN(vindication_rate, total_revealed), ofN(total_revealed)],
  ['were wrong', count(missed), 'speaking would have done good'],
  [
    'attention kept',
    `${count(Math.round(counts.attention_minutes_preserved / 60))} h`,
    'by those judged right',
  ],
  ['could not be judged', count(inconclusive_count)],
])}
<h2 id="gates">which gate closed</h2>
${bars(
  'silences by the gate that closed',
  counts.per_reason.map(({ reason, count: n }) => ({
    label: html`${spacedName(reason)} <small>${closedGateText[reason]}</small>`,
    share: n / Math.max(1, counts.total_silenced),
    value: count(n),
  })),
)}
<h2 id="days">day by day</h2>
${daily(counts.daily_counts)}
<h2 id="judged">judged lately</h2>
<p>an hour after each silence what happened is held against it. of the last day, the newest first:</p>
${
  judged.entries.length
    ? table(
        'silences judged lately',
        [
          { name: 'pocket' },
          { name: 'at' },
          { name: 'was it right' },
          { name: 'closed at' },
          { name: 'because', text: true },
          { name: 'more', unseen: true },
        ],
        judged.entries.map((entry) => ({
          cells: [
            pocketLink(site, entry.pocket_id),
            clockTime(entry.sealed_at),
            verdictMark(entry.vindicated),
            spacedName(entry.gate_name),
            entry.reason ?? '',
            html`<a href="/explanations/silence:${entry.id}">in full</a>`,
          ],
        })),
      )
    : html`<p>none of the last day has been judged yet.</p>`
}
<h2 id="pockets">by pocket</h2>
${table(
  'silences by pocket',
  [
    { name: 'pocket' },
    { name: 'as a bar', unseen: true },
    { name: 'silences', figures: true },
    { name: 'minutes of attention kept', figures: true },
  ],
  counts.per_pocket.map(({ pocket_id, count: n, attention_minutes_preserved }) => ({
    cells: [
      pocketLink(site, pocket_id),
      meter(n / Math.max(...counts.per_pocket.map((row) => row.count))),
      count(n),
      count(Math.round(attention_minutes_preserved)),
    ],
  })),
)}
<p class="note"><a href="/api/silence?window=${asked.window}">for machines</a> · <a href="/api/silence-vindications">every verdict</a> · <a href="/api/explanations">every decision</a></p>`,
  });
}

function daily(days: Answers['counts']['daily_counts']): Html {
  const most = Math.max(1, ...days.map((day) => day.count));
  const every = Math.max(1, Math.ceil(days.length / 6));
  const step = niceStep(most);
  const top = Math.ceil(most / step) * step;
  return barChart({
    id: 'silence-days',
    title: 'silences by day',
    about: `silences each day in Singapore, ${ofN(days.reduce((sum, day) => sum + day.count, 0))}; the first and the last day are a part of one.`,
    kind: 'calm',
    y: {
      from: 0,
      to: top,
      ticks: Array.from({ length: top / step + 1 }, (_, i) => ({ at: i * step, label: count(i * step) })),
    },
    bars: days.map((day, at) => ({
      value: day.count,
      label: at % every === 0 ? formatDate(day.date).slice(0, -5) : undefined,
    })),
    columns: [{ name: 'day' }, { name: 'silences', figures: true }],
    rows: days.map((day, at) => ({ at, cells: [formatDate(day.date), count(day.count)] })),
  });
}
