// How pages say in plain words how a pocket feels, against its usual and ahead.
import { calmBand, chanceText, LIKELY_CALM } from '../../domain/atmosphere/calm-band.ts';
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { AgainstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { categoryNames } from '../../domain/merchant/intent-substrate.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { DAY } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { VisitRow } from '../../operations/visit/visit-fields.ts';
import { sentenceCase } from './format.ts';
import { type Html, html } from './html.ts';
import { meter } from './table.ts';

export const stateWords: Record<PrimaryState, string> = {
  'calm-productive': 'Calm and productive',
  'calm-social': 'Calm and social',
  'calm-restful': 'Calm and restful',
  'busy-productive': 'Busy and productive',
  'lively-social': 'Lively and social',
  'tense-crowded': 'Tense and crowded',
  'rain-subdued': 'Subdued by rain',
  'mixed-transitional': 'Mixed and changing',
};

/** Groups of states that share a colour and a shape, so that neither alone carries the meaning. */
export const stateKinds = ['calm', 'busy', 'tense', 'rain', 'unread'] as const;
export type StateKind = (typeof stateKinds)[number];

export const kindWords: Record<StateKind, string> = {
  calm: 'Calm',
  busy: 'Busy, lively or changing',
  tense: 'Tense',
  rain: 'Subdued by rain',
  unread: 'No recent data',
};

export function stateKind(state: PrimaryState | null): StateKind {
  if (state === null) return 'unread';
  if (state.startsWith('calm-')) return 'calm';
  if (state === 'tense-crowded') return 'tense';
  return state === 'rain-subdued' ? 'rain' : 'busy';
}

/** The shape of a state, as beside words; the map draws the same shapes. */
export const stateMark = (kind: StateKind): Html => html`<i class="state-mark ${kind}"></i>`;

export const usualWords: Record<AgainstUsual, string> = {
  calmer: 'Calmer than usual',
  as_usual: 'About as usual',
  less_calm: 'Less calm than usual',
};

/** 'likely calm (82 %)'; of the usual the words say that it is none of the forecasts. */
const expectedWords = ({ calm_probability, basis }: NonNullable<VisitRow['expected']>): string =>
  sentenceCase(`${basis === 'usual' ? 'usually ' : ''}${chanceText(calm_probability)}`);

type Window = NonNullable<VisitRow['window']>;

/** Until when: 'until 16:30', 'at least until 17:00' where the forecasts end. */
export const untilWords = ({ ends_at, at_least }: Window, clock: (time: string) => string): string =>
  `${at_least ? 'at least until' : 'until'} ${clock(ends_at)}`;

/** A window to come: 'likely calm from 15:00 to 16:30'. */
export const windowWords = (window: Window, clock: (time: string) => string): string =>
  `${window.basis === 'usual' ? 'usually' : 'likely'} calm from ${clock(window.starts_at)} to ${window.at_least ? 'at least ' : ''}${clock(window.ends_at)}`;

/**
 * Clock times in the city's zone, with the day where it is not that of `now`: 'tonight' for the hours after midnight
 * when it is evening, 'tomorrow', else the day of the week.
 */
export const clockFrom =
  (now: string | null, zone: Zone) =>
  (time: string): string => {
    const at = Date.parse(time);
    const from = Date.parse(now ?? time);
    const clock = zone.clockOf(at);
    if (zone.dateOf(at) === zone.dateOf(from)) return clock;
    if (zone.dateOf(at) !== zone.dateOf(from + DAY)) return `${weekdayNames[zone.weekday(at)]} ${clock}`;
    const isTonight = zone.hourOfDay(at) < NIGHT_ENDS && zone.hourOfDay(from) >= EVENING_BEGINS;
    return `${clock} ${isTonight ? 'tonight' : 'tomorrow'}`;
  };

const NIGHT_ENDS = 5;
const EVENING_BEGINS = 18;
const weekdayNames = dayNames.map(sentenceCase);

/** Should one go at the time asked for, and if not, when? `clock` shows a time in the city's zone. */
export function adviceWords(
  {
    advice,
    expected,
    window,
    next_window: next,
    silent_because,
  }: Pick<VisitRow, 'advice' | 'expected' | 'window' | 'next_window' | 'silent_because'>,
  clock: (time: string) => string,
): string {
  const then = next ? `; ${windowWords(next, clock)}` : '';
  if (advice === 'unknown' || (!expected && !window))
    return next
      ? sentenceCase(windowWords(next, clock))
      : silent_because === null
        ? 'Not enough recent data'
        : `No current reading: ${silent_because}`;
  if (window && expected) return `${expectedWords(expected)}, ${untilWords(window, clock)}`;
  if (!expected) return 'Not enough recent data';
  if (advice === 'may_be_calm')
    return `${expectedWords(expected)}${expected.calm_probability >= LIKELY_CALM ? ', but not for an hour' : ''}${then}`;
  return `${expectedWords(expected)}${then || '; no calm window in the next seven days'}`;
}

/** A pocket that is not read now can still have a usual: only one without any says so. */
const usualText = (usual_calm: number | null, against: AgainstUsual | null): string => {
  if (usual_calm === null) return 'Usual not known yet';
  return against === null ? `Usually ${calmBand(usual_calm)}` : usualWords[against];
};

/** How it feels now, against what is usual for this hour. */
export const nowLine = ({ primary_state, calm_level, usual_calm, against_usual }: VisitRow): Html => {
  const kind = stateKind(primary_state);
  return html`<p class="now">${stateMark(kind)}${primary_state && stateWords[primary_state]} <span class="level">${meter(calm_level, kind)}</span> <small>${usualText(
    usual_calm,
    against_usual,
  )}</small></p>`;
};

/** Which kinds of outlets are open at the time; null where too few are listed to tell. */
export function openLine({
  open_kinds,
  open_count,
}: Pick<VisitRow, 'open_kinds' | 'open_count'>): Html | null {
  if (open_kinds === null) return null;
  if (!open_kinds.length) return html`<p class="open">Everything listed here is closed then</p>`;
  const kinds = open_kinds.map((kind) => categoryNames[kind]).join(', ');
  return html`<p class="open">Open: ${kinds}${open_count === null ? null : ` (${open_count} places)`}</p>`;
}
