// The last 90 days of one check as a row of bars. A bar is higher the worse its day was, so that colour is not the only
// sign; status.js tells the day at the pointer, and a list names the days that were not all passing.
import type { CheckDayState } from '../../../domain/report/check-history.ts';
import { DAY } from '../../../domain/time/slot.ts';
import { plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { term } from '../../parts/terms.ts';
import { formatDate } from '../../parts/times.ts';
import { observedShare } from './history.ts';
import type { StatusAnswers } from './question.ts';

type Checks = StatusAnswers['checks'];
type History = Checks['checks'][number];
type Day = History['days'][number];

export const stateWords: Record<CheckDayState, string> = {
  green: 'passing all day',
  amber: 'a warning, or failing for less than an hour',
  red: 'failing for an hour or more',
  no_record: 'no record',
};

/** A letter for each state, as status.js reads them. */
const letters: Record<CheckDayState, string> = { green: 'g', amber: 'a', red: 'r', no_record: '-' };

/** Units of the drawing: a bar and the gap after it. */
const STEP = 4;
const HEIGHT = 30;
const heights: Record<CheckDayState, number> = { green: 18, amber: 24, red: 30, no_record: 2 };

/** More are in the JSON. */
const MOST_RUNS = 20;

export function checkDays(title: string, history: History, { first_date, last_date }: Checks): Html {
  const dates = datesBetween(first_date, last_date);
  const byDate = new Map(history.days.map((day) => [day.date, day]));
  const days = dates.map((date) => byDate.get(date) ?? null);
  const states = days.map((day): CheckDayState => day?.state ?? 'no_record');
  const faulty = days.filter((day) => day !== null && day.state !== 'green') as Day[];
  return html`<div class="days" data-first="${first_date}" data-states="${states.map((state) => letters[state]).join('')}" data-unit="${history.unit === 'days' ? '' : 'quarter hours'}" data-counts="${faulty.map(({ green, amber, red }) => `${red}/${amber}/${green + amber + red}`).join(' ')}">
<svg viewBox="0 0 ${STEP * days.length - 1} ${HEIGHT}" preserveAspectRatio="none" role="img" tabindex="0" aria-label="${daysSummary(title, states)}">${stateBars(states)}<rect class="cursor" width="${STEP - 1}" height="${HEIGHT}"/></svg>
<p class="ends"><span>${dates.length} days ago</span><span class="uptime">${history.share === null ? 'No record yet' : html`${term('uptime', 'Uptime')} ${observedShare(history.share)}`}</span><span>Today</span></p>
<p class="day" role="status"></p>
${sinceNote(history, first_date)}${faultyDays(days)}</div>`;
}

export const stateKeys = (): Html =>
  html`<p class="keys">${(['green', 'amber', 'red', 'no_record'] as const).map(
    (state) => html`<span class="key bar ${state}">${stateWords[state]}</span>`,
  )}</p>`;

/** Dates are calendar days: each is a day of UTC after the other. */
const datesBetween = (first: string, last: string): string[] =>
  Array.from({ length: Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1 }, (_, at) =>
    new Date(Date.parse(first) + at * DAY).toISOString().slice(0, 10),
  );

interface Run {
  at: number;
  length: number;
  state: CheckDayState;
}

/** Days in a row in the same state. */
function stateRuns(states: readonly CheckDayState[]): Run[] {
  const runs: Run[] = [];
  for (const [at, state] of states.entries()) {
    const last = runs.at(-1);
    if (last?.state === state) last.length++;
    else runs.push({ at, length: 1, state });
  }
  return runs;
}

/** A path for each state. A run of days is a dashed line whose dashes are the bars, which takes little markup. */
const stateBars = (states: readonly CheckDayState[]): Html[] =>
  [...Map.groupBy(stateRuns(states), ({ state }) => state)].map(([state, runs]) => {
    const y = HEIGHT - heights[state] / 2;
    const lines = runs.map(({ at, length }) => `M${STEP * at} ${y}h${STEP * length - 1}`).join('');
    return html`<path class="bar ${state}" stroke-width="${heights[state]}" d="${lines}"/>`;
  });

function daysSummary(title: string, states: readonly CheckDayState[]): string {
  const of = (state: CheckDayState) => states.filter((one) => one === state).length;
  const parts = [
    [of('red'), 'failing for an hour or more'],
    [of('amber'), 'with a warning or a shorter failure'],
    [of('green'), 'passing'],
    [of('no_record'), 'without a record'],
  ] as const;
  const known = parts.flatMap(([n, words]) => (n ? [`${plural(n, 'day')} ${words}`] : []));
  return `${title}, ${states.length} days: ${known.join(', ')}.`;
}

function sinceNote({ recorded_since }: History, first: string): Html | null {
  if (recorded_since === null)
    return html`<p class="note">No record yet: the first result is recorded within half an hour.</p>`;
  return recorded_since === first
    ? null
    : html`<p class="note">No record before ${formatDate(recorded_since)}.</p>`;
}

/** The days that were not all passing, newest first; days in a row in the same state are one entry. */
function faultyDays(days: readonly (Day | null)[]): Html | null {
  const runs = stateRuns(days.map((day) => day?.state ?? 'no_record')).filter(
    ({ state }) => state === 'amber' || state === 'red',
  );
  if (!runs.length) return null;
  const n = runs.reduce((sum, { length }) => sum + length, 0);
  return html`
<details><summary>${plural(n, 'day')} with a warning or a failure</summary><ul>${runs
    .toReversed()
    .slice(0, MOST_RUNS)
    .map(({ at, length }) => {
      const own = days.slice(at, at + length) as Day[];
      return html`<li>${spanText(own)}: ${resultText(own)}</li>`;
    })}</ul>${runs.length > MOST_RUNS ? html`<p>Older ones are in the <a href="/api/check-history">JSON</a>.</p>` : null}</details>`;
}

function spanText(days: readonly Day[]): string {
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  return first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`;
}

/** 'failing in 12 of 96 quarter hours'; of a check that is judged by the day, how many days. */
function resultText(days: readonly Day[]): string {
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  const [red, amber, all] = [
    sum((day) => day.red),
    sum((day) => day.amber),
    sum((day) => day.green + day.amber + day.red),
  ];
  const found = [...(red ? [`failing in ${red}`] : []), ...(amber ? [`a warning in ${amber}`] : [])];
  return `${found.join(' and ')} of ${plural(all, 'result')}`;
}
