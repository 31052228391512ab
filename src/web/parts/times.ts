// Times as pages show them: the city's time with its zone as text, the exact UTC time in the element's attributes. Where
// the reader's zone is another, the page's script adds the reader's time to the title.
import type { Zone } from '../../domain/time/zone.ts';
import { type Html, html } from './html.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2026-11-15' as '15 Nov 2026'. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 1) - 1]} ${year}`;
}

const timeElement = (moment: string, words: string): Html =>
  html`<time datetime="${moment}" title="${moment}">${words}</time>`;

/** Date and time; the exact time is shown on hover. */
export function dateTime(moment: string, zone: Zone): Html {
  const at = Date.parse(moment);
  return timeElement(moment, `${formatDate(zone.localDate(at))}, ${zone.clockWithZone(at)}`);
}

/** The time alone, where the day is clear from the context. */
export const clockTime = (moment: string, zone: Zone): Html =>
  timeElement(moment, `${zone.clockWithZone(Date.parse(moment))}`);

/** The date alone. */
export const dateOnly = (moment: string, zone: Zone): Html =>
  timeElement(moment, formatDate(zone.localDate(Date.parse(moment))));
