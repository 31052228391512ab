// The last 90 days as bars, and the gaps in them.
import type { DayState } from '../../../domain/report/uptime.ts';
import { durationText } from '../../../domain/text/duration.ts';
import { figure, xScaleOf } from '../../charts/chart.ts';
import { count, plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { dateTime, formatDate } from '../../parts/times.ts';
import type { StatusAnswers } from './question.ts';

type History = StatusAnswers['history'];

const stateWords: Record<DayState, string> = {
  green: 'all observed',
  amber: 'some missing',
  red: 'an hour or more missing',
  backfilled: 'first history, written afterwards',
  not_due: 'nothing due yet',
  before: 'before the service began',
};

/** To a tenth, rounded down: 100.0 % is said of a whole record only. */
export const observedShare = (share: number | null): string =>
  share === null ? 'not known' : `${(Math.floor(1000 * share + 1e-9) / 10).toFixed(1)}\u00a0%`;

const HEIGHT = 110;
const TOP = 14;
const BOTTOM = 80;

export function dayBars(site: Site, { days }: History): Html {
  const xAt = xScaleOf({ from: -0.5, to: days.length - 0.5 });
  const shown = new Set(days.map(({ state }) => state));
  const drawn = html`${days.map(
    ({ state }, at) =>
      html`<rect class="day ${state}" x="${Math.round(100 * (xAt(at) - 1.8)) / 100}" y="${TOP}" width="3.6" height="${BOTTOM - TOP}"/>`,
  )}${[0, 30, 60, days.length - 1].map(
    (at) =>
      html`<text x="${xAt(at)}" y="101" text-anchor="${at === 0 ? 'start' : at === days.length - 1 ? 'end' : 'middle'}">${at === days.length - 1 ? 'today' : formatDate(days[at]?.date ?? '').slice(0, -5)}</text>`,
  )}`;
  const keys = (['green', 'amber', 'red', 'backfilled', 'not_due', 'before'] as const)
    .filter((state) => shown.has(state))
    .map((state) => html`<span class="key day ${state}">${stateWords[state]}</span>`);
  return html`<div class="uptime">${figure(
    {
      id: 'uptime',
      title: 'Observed quarter hours, by day',
      about: `A bar is a day in ${site.registry.city.name}, coloured by the worst that happened on it. On a whole day 96 quarter hours are due.`,
      columns: [
        { name: 'Day' },
        { name: 'State' },
        { name: 'Observed', figures: true },
        { name: 'Share', figures: true },
      ],
      rows: days.flatMap(({ date, state, slots_due, slots_run, share }, at) => {
        if (state === 'before') return [];
        const observed = slots_due ? [`${slots_run} of ${slots_due}`, observedShare(share)] : ['', ''];
        return [{ at, cells: [formatDate(date), stateWords[state], ...observed] }];
      }),
    },
    drawn,
    xAt,
    keys,
    HEIGHT,
  )}</div>`;
}

export function incidentList({ zone, registry }: Site, history: History): Html {
  const { incidents, incident_count, slots_due } = history;
  if (!slots_due) return html`<p>No quarter hour was due yet.</p>`;
  if (!incidents.length) return html`<p>None: every quarter hour that was due is in the record.</p>`;
  const pockets = plural(registry.pockets.length, 'pocket');
  return html`<ul class="checks incidents">${incidents.map(
    ({ from, until, minutes, missed_slots, missed_readings, state }) => html`<li>
<p class="check"><span class="state ${state}">${until === null ? 'Ongoing' : 'Ended'}</span> <b>${durationText(minutes)}</b> <small>from ${dateTime(from, zone)} ${until === null ? 'until now' : html`to ${dateTime(until, zone)}`}</small></p>
<p>${plural(missed_slots, 'quarter hour')} without readings, decisions and new forecasts for ${pockets}: ${plural(missed_readings, 'reading')} missing.</p>
</li>\n`,
  )}</ul>
${incident_count > incidents.length ? html`<p class="note">The newest ${incidents.length} of ${count(incident_count)} gaps.</p>` : null}
<p class="note">A gap is a row of quarter hours for which the observing job did not run. Verdicts on silences and reveals of forecasts are caught up afterwards.</p>`;
}
