// The backtest of one outlet. A page of its own: it replays weeks of decisions, so it is computed only when asked for, and
// reached through a form that crawlers do not follow.
import Type from 'typebox';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../../operations/core/define.ts';
import { activeOutlet, outletId, publicOutlet } from '../../../operations/merchant/outlet.ts';
import { simulateOutletAutopilot } from '../../../operations/merchant/simulate-outlet-autopilot.ts';
import { count, plural, wholePercent } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { bars, facts } from '../../parts/table.ts';
import { dateOnly, dateTime } from '../../parts/times.ts';

const periods = [7, 30, 90] as const;

export const backtestQuestion = composeOperations(
  'page_outlet_backtest',
  {
    outlet_id: outletId,
    days: Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'days to replay' }),
  },
  ({ outlet_id, days }) => ({
    backtest: bindArguments(simulateOutletAutopilot, { outlet_id, days_back: days }),
  }),
);

type Answers = AnswerOf<typeof backtestQuestion>;
type Backtest = Exclude<Answers['backtest'], { available: false }>;

export const backtestForm = (id: string, days: number): Html => html`
<form class="find" action="/outlet/${id}/backtest">
<label>Period <select name="days">${periods.map(
  (n) => html`<option value="${n}"${n === days ? html` selected` : null}>Last ${n} days</option>`,
)}</select></label>
<button>Run the backtest</button>
</form>`;

export function backtestPage(site: Site, { asked, backtest }: Answers): string {
  const found = activeOutlet(site.registry, asked.outlet_id);
  if (!found || 'available' in backtest) throw new NotFound('unknown outlet');
  const { id, name, pocket_id } = publicOutlet(found);
  return renderPage(site, {
    title: `Backtest of ${name}`,
    about: `What would have been said for ${name} in the past, and what it might have been worth: a simulation.`,
    path: `/outlet/${id}/backtest`,
    body: html`
<p class="crumb"><a href="/outlets">Outlets</a> / ${pocketLink(site, pocket_id)} / <a href="/outlet/${id}">${name}</a></p>
<h1>Backtest of ${name}</h1>
<p class="lead">What would have been said for it in the last ${plural(asked.days, 'day')}, and what might it have been worth? A simulation over stored history: nobody was notified, no customer and no merchant.</p>
${backtestForm(id, asked.days)}
${backtest.replayed_from === null ? html`<p>Nothing about it is stored for this period, so there is nothing to replay.</p>` : results(site, backtest, backtest.replayed_from)}
<h2 id="caveats">What this cannot tell</h2>
${caveats(backtest)}
<p class="note"><a href="/api/outlet-autopilot?outlet=${id}&amp;days_back=${asked.days}">JSON</a></p>`,
  });
}

function results({ zone }: Site, backtest: Backtest, from: string): Html {
  const { economic_range: range, currency, surfaced_count, decisions_replayed } = backtest;
  const amount = (value: number): string => `${value.toFixed(2)} ${currency}`;
  const most = Math.max(1, ...backtest.top_silence_reasons.map((one) => one.count));
  return html`<section class="card" aria-label="Result">
${
  surfaced_count
    ? html`<p class="state-line">${amount(range.low)} to ${amount(range.high)}</p>
<p>of gross margin, with a midpoint of ${amount(range.midpoint)}, if ${responses(backtest)} of its free places had been filled each time.</p>`
    : html`<p class="state-line">Nothing would have been said</p>
<p>So nothing would have been earned by it, and nobody would have been disturbed.</p>`
}
${facts([
  ['Would have spoken', plural(surfaced_count, 'time')],
  [
    'Would have stayed silent',
    plural(backtest.withheld_count, 'time'),
    `of ${count(decisions_replayed)} decisions while it was open`,
  ],
  ['Replayed since', dateOnly(from, zone)],
])}
</section>
<h2 id="said">What it would have said</h2>
${
  backtest.sample_emissions.length
    ? html`<ul class="plain entries">${backtest.sample_emissions.map(
        ({ at, text }) => html`<li><b>${dateTime(at, zone)}</b> <span class="voice">${text}</span></li>\n`,
      )}</ul>`
    : html`<p>Nothing: no moment passed all gates.</p>`
}
<h2 id="silent">Why it would have stayed silent</h2>
${bars(
  'Most frequent reasons for silence',
  backtest.top_silence_reasons.map((one) => ({
    label: sentenceCase(one.reason_text),
    share: one.count / most,
    value: count(one.count),
  })),
)}`;
}

const responses = ({ methodology }: Backtest): string => {
  const { low, high } = methodology.assumptions.response_share;
  return `${wholePercent(low)} to ${wholePercent(high)}`;
};

const caveats = (backtest: Backtest): Html => html`<ul>
<li>The share of free places that a line fills (${responses(backtest)}) is assumed, not observed. No visit was measured.</li>
<li>Only quarter hours in which the outlet was open and counted are decided. Nothing is decided from 23:00 to 07:00 (${count(backtest.quiet_hours_count)} left out), nor while a line is still live (${count(backtest.already_speaking_count)} left out).</li>
<li>An outlet without seats is assumed to have ${count(backtest.methodology.assumptions.places_without_seats)} places.</li>
</ul>
<details><summary>The method, in the words of the service</summary>
<ul class="outlook voice"><li>${backtest.methodology.gate}</li><li>${backtest.methodology.saturation}</li><li>${backtest.methodology.economics}</li></ul>
</details>`;
