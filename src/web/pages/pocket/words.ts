// Words, times and links that the pages of a pocket share.
import type { ExpectedSignal } from '../../../domain/signals/signal.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { MINUTE } from '../../../domain/time/slot.ts';
import type { Zone } from '../../../domain/time/zone.ts';
import { type Html, html } from '../../parts/html.ts';
import { formatDate } from '../../parts/times.ts';

/** How long before a later time: '5 min', '2 h 15 min'. */
export function ageText(from: string, to: string): string {
  const minutes = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE));
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest ? `${hours} h ${rest} min` : `${hours} h`;
}

/** '11:00–12:15', without the zone: the page names it once. */
export const clockSpan = (from: string, to: string, zone: Zone): string =>
  `${clock(from, zone)}–${clock(to, zone)}`;
export const clock = (time: string, zone: Zone): string => zone.localClock(Date.parse(time));

/** 'wednesday', '2026-11-11' as 'Wednesday 11 Nov 2026'. */
export const dayName = (weekday: string, date: string): string =>
  `${sentenceCase(weekday)} ${formatDate(date)}`;

/** Where the figures of a chart come from, for people who want them. */
export const sourceLine = (source: string, address: string): Html =>
  html`<p class="note source">${source} <a href="${address}">JSON</a> · <a href="${address}&amp;format=csv">CSV</a></p>`;

/** What is measured, by its column. */
export const signalNames: Record<ExpectedSignal, string> = {
  rain_mm: 'Rain',
  temperature_c: 'Temperature',
  humidity_pct: 'Humidity',
  pm25: 'Fine dust in the air',
  footfall: 'People passing',
  transit_crowding: 'How full stations are',
  traffic_speed_kmh: 'Speed of traffic',
  carpark_occupancy: 'How full car parks are',
  crowd: 'Crowd',
};
