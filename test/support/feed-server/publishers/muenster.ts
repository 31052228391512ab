// Tables of Münster: free places of all car parks, a file a day, and passing bikes, a file for each counter and month.

import { csv, type FeedView, type Publisher } from '../view.ts';
import { localTime } from './local-time.ts';

const ZONE = 'Europe/Berlin';
const STEP_SECONDS = 900;
const STEP = STEP_SECONDS * 1000;
const HOUR = 3_600_000;

/** A column for each car park, named by its place's name; the row below holds how many places each has in all. */
export const muensterParking: Publisher = ({ path }, view) => {
  const day = /(?:^|\/)(\d{4}-\d{2}-\d{2})\.csv$/.exec(path)?.[1];
  if (day === undefined) return null;
  const feed = 'muenster-parking.free_spaces';
  const places = view.places(feed);
  const row = (time: number) => [
    quoteCell(localMinute(time)),
    ...places.map((place) => view.value(feed, place, time)),
  ];
  const totals = places.map((place) => view.value('muenster-parking.total_spaces', place, view.now));
  const table = [
    ['Datum und Uhrzeit', ...places.map(({ id, name = id }) => name)].map(quoteCell),
    ['Anzahl Parkplätze gesamt', ...totals.map((total) => `(${total})`)].map(quoteCell),
    ...view.rows(periodTimes(day, view.observedTime(STEP_SECONDS)).map(row)),
  ];
  return csv(lines(table), 'Datum und Uhrzeit');
};

/** Each row counts the quarter hour that begins at its time. */
export const muensterBikes: Publisher = ({ path }, view) => {
  const [, id = '', month = ''] = /(?:^|\/)(\d{1,12})\/(\d{4}-\d{2})\.csv$/.exec(path) ?? [];
  if (id === '') return null;
  const feed = 'muenster-bikes.bikes_15min';
  const place = knownPlace(view, feed, id);
  if (!place) return null;
  const newest = view.observedTime(STEP_SECONDS) - STEP;
  const row = (time: number) => [localMinute(time), view.value(feed, place, time), 0];
  const header = ['Datetime', `${id} (${place.name ?? 'counter'})`, `${id}-status`];
  return csv(lines([header, ...view.rows(periodTimes(month, newest).map(row))]), 'Datetime');
};

/** A counter has its file also on a day without rows, so the empty list does not take it away. */
function knownPlace(view: FeedView, feed: string, id: string) {
  const places = view.places(feed);
  return places.length > 0
    ? places.find((place) => place.id === id)
    : { id, lat: 0, lng: 0, name: 'counter' };
}

const localMinute = (time: number) => localTime(time, ZONE).slice(0, 16);

const quoteCell = (cell: string) => `"${cell}"`;

const lines = (rows: readonly (readonly (string | number)[])[]): string =>
  `${rows.map((row) => row.join(',')).join('\n')}\n`;

/** The quarter hours of a local day or month, as far as they are over; 23 or 25 hours where the clocks change. */
function periodTimes(period: string, newest: number): number[] {
  const first = Date.parse(`${period.length === 7 ? `${period}-01` : period}T00:00:00Z`);
  if (Number.isNaN(first)) return [];
  const length = (period.length === 7 ? 31 : 1) * 24 * HOUR;
  const times: number[] = [];
  for (let time = first - 3 * HOUR; time <= Math.min(newest, first + length); time += STEP)
    if (localTime(time, ZONE).startsWith(period)) times.push(time);
  return times;
}
