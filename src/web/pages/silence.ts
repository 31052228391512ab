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
    about:
      'how often nothing was said in waking hours, for which reason, and whether staying silent was right.',
    path: '/silence',
    body: html`
<h1>${decided ? `${shareOfN(counts.silence_rate, decided)} of decisions were silence` : 'nothing was decided yet'}</h1>
<p class="lead">each quarter hour from 07:00 to 23:00 a line is drafted for every pocket in which none is live, and mostly not said. over ${windowLabels[asked.window]}:</p>
${windowLinks('/silence', asked.window)}
${facts([
  ['silences', count(counts.total_silenced), `of ${count(decided)} decisions in waking hours`],
  ['were right', shareOfN(vindication_rate, total_revealed), `${ofN(total_revealed)}, in waking hours`],
  ['were wrong', count(missed), 'speaking would have done good'],
  [
    'attention kept',
    `${count(Math.round(counts.attention_minutes_preserved / 60))} h`,
    'estimated, by those judged right',
  ],
  ['could not be judged', count(inconclusive_count)],
  ['line still live', count(counts.already_speaking_count), 'quarter hours, not counted as silences'],
  ['quiet hours', count(counts.quiet_hours_count), 'from 23:00 to 07:00, not counted as silences'],
])}
<h2 id="reasons">for which reason</h2>
<p>each silence has one reason: the earliest that alone would have kept it silent.</p>
${bars(
  'silences by reason',
  counts.per_reason.map(({ gate, reason_text, count: n }) => ({
    label: html`${reason_text} <small>${spacedName(gate)}</small>`,
    share: n / Math.max(1, counts.total_silenced),
    value: count(n),
  })),
)}
<h2 id="days">day by day</h2>
${daily(site, counts.daily_counts)}
<h2 id="judged">judged in the last day</h2>
<p>an hour after each silence it is judged by what happened. the newest first:</p>
${
  judged.entries.length
    ? table(
        'silences judged in the last day',
        [
          { name: 'pocket' },
          { name: 'at' },
          { name: 'was it right' },
          { name: 'why it was silent', text: true },
          { name: 'why it was right or wrong', text: true },
          { name: 'more', unseen: true },
        ],
        judged.entries.map((entry) => ({
          cells: [
            pocketLink(site, entry.pocket_id),
            clockTime(entry.sealed_at, site.zone),
            verdictMark(entry.vindicated),
            entry.reason_text,
            entry.verdict_reason ?? '',
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
    { name: 'line still live', figures: true },
    { name: 'quiet hours', figures: true },
    { name: 'minutes of attention kept, estimated', figures: true },
  ],
  counts.per_pocket.map(({ pocket_id, count: n, ...row }) => ({
    cells: [
      pocketLink(site, pocket_id),
      meter(n / Math.max(...counts.per_pocket.map((other) => other.count))),
      count(n),
      count(row.already_speaking_count),
      count(row.quiet_hours_count),
      count(Math.round(row.attention_minutes_preserved)),
    ],
  })),
)}
<p class="note"><a href="/api/silence?window=${asked.window}">for machines</a> · <a href="/api/silence-vindications">every verdict</a> · <a href="/api/explanations">every decision</a></p>`,
  });
}

function daily(site: Site, days: Answers['counts']['daily_counts']): Html {
  const most = Math.max(1, ...days.map((day) => day.count));
  const every = Math.max(1, Math.ceil(days.length / 6));
  const step = niceStep(most);
  const top = Math.ceil(most / step) * step;
  return barChart({
    id: 'silence-days',
    title: 'silences by day',
    about: `silences each day in ${site.registry.city.name}, ${ofN(days.reduce((sum, day) => sum + day.count, 0))}; the first and the last day are a part of one.`,
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
