// What pages and answers say of a visit: how likely calm is at a time, until when, and when else.
import { chanceText, LIKELY_CALM, usualChanceText } from '../../domain/atmosphere/calm-band.ts';
import type { AgainstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { categoryNames } from '../../domain/merchant/intent-substrate.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { dayNames } from '../../domain/time/periods.ts';
import { DAY } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { VisitRow } from './visit-fields.ts';

/** Shows a time in the city's zone; `beside`: a time that was just told, whose day is not told again. */
export type Clock = (time: string, beside?: string) => string;

/**
 * Clock times in the city's zone, with the day where it is not that of `now`: 'tonight' for the hours after midnight
 * when it is evening, 'tomorrow', else the day of the week.
 */
export const clockFrom =
  (now: string | null, zone: Zone): Clock =>
  (time, beside) => {
    const clock = zone.localClock(Date.parse(time));
    const day = dayWords(time, now ?? time, zone);
    if (day === null || (beside !== undefined && isSameDay(time, beside, zone))) return clock;
    return day.startsWith('on ') ? `${day.slice(3)} ${clock}` : `${clock} ${day}`;
  };

/** A time as part of a sentence: 'at 15:00', 'tomorrow at 10:00', 'on Saturday at 10:00'. */
export const timeWords = (time: string, now: string | null, zone: Zone): string => {
  const day = dayWords(time, now ?? time, zone);
  return `${day === null ? '' : `${day} `}at ${zone.localClock(Date.parse(time))}`;
};

/** 'today', 'tomorrow', 'on Saturday'. */
export const dayText = (time: string, now: string | null, zone: Zone): string =>
  dayWords(time, now ?? time, zone) ?? 'today';

const NIGHT_ENDS = 5;
const EVENING_BEGINS = 18;
const weekdayNames = dayNames.map(sentenceCase);

const isSameDay = (a: string, b: string, zone: Zone): boolean =>
  zone.localDate(Date.parse(a)) === zone.localDate(Date.parse(b));

/** Null on the same day. */
function dayWords(time: string, now: string, zone: Zone): string | null {
  const [at, from] = [Date.parse(time), Date.parse(now)];
  if (isSameDay(time, now, zone)) return null;
  if (zone.localDate(at) !== zone.localDate(from + DAY)) return `on ${weekdayNames[zone.weekday(at)]}`;
  const isTonight = zone.hourOfDay(at) < NIGHT_ENDS && zone.hourOfDay(from) >= EVENING_BEGINS;
  return isTonight ? 'tonight' : 'tomorrow';
}

/** 'likely calm (82 %)', or of the usual 'often calm (58 % of 32 readings)': the words tell it from a forecast. */
const expectedWords = ({ calm_probability, n, holiday }: NonNullable<VisitRow['expected']>): string => {
  const chance = n === null ? chanceText(calm_probability) : usualChanceText(calm_probability, n);
  return sentenceCase(`${chance}${holiday === null ? '' : `, as on a Sunday: ${holiday}`}`);
};

type Window = NonNullable<VisitRow['window']>;

/** Until when: 'until 16:30', 'at least until 17:00' where the forecasts end. */
const untilWords = ({ ends_at, at_least }: Window, clock: Clock, beside: string): string =>
  `${at_least ? 'at least until' : 'until'} ${clock(ends_at, beside)}`;

/** A window to come: 'likely calm from 15:00 to 16:30'. */
export const windowWords = ({ basis, starts_at, ends_at, at_least }: Window, clock: Clock): string =>
  `${basis === 'usual' ? 'usually' : 'likely'} calm from ${clock(starts_at)} to ${at_least ? 'at least ' : ''}${clock(ends_at, starts_at)}`;

/** Should one go at the time asked for, and if not, when? */
export function adviceWords(
  {
    advice,
    expected,
    window,
    next_window: next,
    primary_state,
    silent_because,
  }: Pick<VisitRow, 'advice' | 'expected' | 'window' | 'next_window' | 'primary_state' | 'silent_because'>,
  clock: Clock,
): string {
  const then = next ? `; ${windowWords(next, clock)}` : '';
  if (advice === 'unknown' || (!expected && !window)) {
    if (next) return sentenceCase(windowWords(next, clock));
    // The present of a pocket that is read is always known: a later time was asked for.
    if (primary_state !== null) return 'What is usual then is not known yet';
    return silent_because === null ? 'Not enough recent data' : `No current reading: ${silent_because}`;
  }
  if (window && expected) return `${expectedWords(expected)}, ${untilWords(window, clock, expected.at)}`;
  if (!expected) return 'Not enough recent data';
  if (advice === 'may_be_calm')
    return `${expectedWords(expected)}${expected.calm_probability >= LIKELY_CALM ? ', but not for an hour' : ''}${then}`;
  return `${expectedWords(expected)}${then || '; no calm window in the next seven days'}`;
}

/** Which kinds of outlets are open at the time; null where too few are listed to tell. */
export function openWords({
  open_kinds,
  open_count,
}: Pick<VisitRow, 'open_kinds' | 'open_count'>): string | null {
  if (open_kinds === null) return null;
  if (!open_kinds.length) return 'Everything listed here is closed then';
  const kinds = open_kinds.map((kind) => categoryNames[kind]).join(', ');
  return `Open: ${kinds}${open_count === null ? '' : ` (${open_count} places)`}`;
}

/** The present against what is usual for this hour. */
export const againstUsualWords: Record<AgainstUsual, string> = {
  calmer: 'calmer than usual',
  as_usual: 'about as usual',
  less_calm: 'less calm than usual',
};

/** How far as the crow flies: '350 m away', '1.2 km away'. */
export const distanceWords = (metres: number): string =>
  metres < 950
    ? `${Math.max(50, 50 * Math.round(metres / 50))} m away`
    : `${(metres / 1000).toFixed(1)} km away`;
