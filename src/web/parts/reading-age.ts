// States how old the newest reading is: beside every chart of readings, coloured when readings are late.
import { readingAge } from '../../domain/report/reading-age.ts';
import { durationText } from '../../domain/text/duration.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type Html, html } from './html.ts';
import { dateTime } from './times.ts';

/**
 * While readings are on time a page may be cached for a quarter hour, so the time is stated alone; the age follows once
 * they are late: from then on no page is cached for more than a minute.
 */
export function newestReadingLine(at: string | null, asOf: string, zone: Zone): Html {
  if (at === null) return html`<p class="age late">No reading yet.</p>`;
  const { minutes, late } = readingAge(Date.parse(at), Date.parse(asOf));
  return html`<p class="age${late ? ' late' : ''}">Newest reading: ${dateTime(at, zone)}${late ? `, ${durationText(minutes)} old` : ''}.</p>`;
}
