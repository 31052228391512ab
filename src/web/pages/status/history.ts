// How much of the last 90 days was observed, and the gaps in them.
import { durationText } from '../../../domain/text/duration.ts';
import { count, plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { dateTime } from '../../parts/times.ts';
import type { StatusAnswers } from './question.ts';

type History = StatusAnswers['history'];

/** To a tenth, rounded down: 100.0 % is said of a whole record only. */
export const observedShare = (share: number | null): string =>
  share === null ? 'not known' : `${(Math.floor(1000 * share + 1e-9) / 10).toFixed(1)}\u00a0%`;

export function incidentList({ zone, registry }: Site, history: History): Html {
  const { incidents, incident_count, slots_due } = history;
  if (!slots_due) return html`<p>No quarter hour has been due yet.</p>`;
  if (!incidents.length) return html`<p>None: every quarter hour that was due is in the record.</p>`;
  const pockets = plural(registry.pockets.length, 'pocket');
  return html`<ul class="checks incidents">${incidents.map(
    ({ from, until, minutes, missed_slots, missed_readings, state }) => html`<li>
<p class="check"><span class="state ${state}">${until === null ? 'Ongoing' : 'Ended'}</span> <b>${durationText(minutes)}</b> <small>from ${dateTime(from, zone)} ${until === null ? 'until now' : html`to ${dateTime(until, zone)}`}</small></p>
<p class="own" data-own-from="${from}"${until === null ? null : html` data-own-until="${until}"`} hidden></p>
<p>${plural(missed_slots, 'quarter hour')} without readings, decisions and new forecasts for ${pockets}: ${plural(missed_readings, 'reading')} missing.</p>
</li>\n`,
  )}</ul>
${incident_count > incidents.length ? html`<p class="note">The newest ${incidents.length} of ${count(incident_count)} gaps.</p>` : null}
<p class="note">A gap is a series of quarter hours for which the observing job did not run. Verdicts on silences and outcomes of forecasts are made up afterwards.</p>`;
}
