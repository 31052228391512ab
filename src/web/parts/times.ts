// Times as pages show them: Singapore time as text, the exact UTC time in the element's attributes.
import { clockOf, dateOf } from '../../domain/time/sgt.ts';
import { type Html, html } from './html.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** '2026-11-15' as '15 nov 2026'. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 1) - 1]} ${year}`;
}

const timeElement = (moment: string, words: string): Html =>
  html`<time datetime="${moment}" title="${moment}">${words}</time>`;

/** Date and time in Singapore; the exact time is shown on hover. */
export function dateTime(moment: string): Html {
  const at = Date.parse(moment);
  return timeElement(moment, `${formatDate(dateOf(at))}, ${clockOf(at)} SGT`);
}

/** The time alone, where the day is clear from the context. */
export const clockTime = (moment: string): Html => timeElement(moment, `${clockOf(Date.parse(moment))} SGT`);

/** The date alone. */
export const dateOnly = (moment: string): Html => timeElement(moment, formatDate(dateOf(Date.parse(moment))));
