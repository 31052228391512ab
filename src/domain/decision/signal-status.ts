/** The signal status of a pocket and its next possible window (docs/formulas.md, "Signal status"). */

import { type Calendar, isRestDay } from '../city/rest-day.ts';
import { round } from '../stats/unit-scale.ts';
import { DAY, SLOT } from '../time/slot.ts';
import type { Moment } from './moment.ts';
import type { MqsBand } from './moment-quality.ts';

export const signalStatuses = [
  'STABLE_CALM',
  'WITHHOLD_INTENTIONAL',
  'FORMING_WINDOW',
  'ACTIVE_INTERVENTION',
  'DECAY_WINDOW',
] as const;
export type SignalStatus = (typeof signalStatuses)[number];

export interface StatusInput {
  moment: Pick<Moment, 'calm_probability' | 'fragility' | 'should_stay_silent'>;
  band: MqsBand;
  /** Something that was said here has not expired. */
  live: boolean;
}

const worthwhile: readonly MqsBand[] = ['forming', 'high_resonance', 'peak'];
/** A chance of calm, not a level: the chance from which the contract's search for calm pockets shows one. */
const LEAST_CALM_PROBABILITY = 0.6;
/** Fragility: a calm with a standard deviation of 0.13 over the last readings. */
const STEADY = 0.5;

/** The first status that applies. */
export function signalStatus({ moment, band, live }: StatusInput): SignalStatus {
  if (live) return 'ACTIVE_INTERVENTION';
  if (band === 'decaying') return 'DECAY_WINDOW';
  if (worthwhile.includes(band)) return moment.should_stay_silent ? 'WITHHOLD_INTENTIONAL' : 'FORMING_WINDOW';
  const calm = moment.calm_probability >= LEAST_CALM_PROBABILITY && moment.fragility <= STEADY;
  return calm ? 'STABLE_CALM' : 'WITHHOLD_INTENTIONAL';
}

export interface NextWindowInput {
  now: number;
  /** When the live line expires; null when nothing is live. No line begins beside another. */
  live_until: number | null;
  /** The slots at which lines began in this pocket within the last `WINDOW_RECORD`. */
  began: readonly number[];
  /** The first slot of that time at which the pocket was decided on; null when there is none. */
  since: number | null;
  calendar: Calendar;
}

export interface NextWindow {
  /** The start of the half hour; null when none is likely within a day. */
  at: number | null;
  /** How likely a line begins in it, by the share of like days on which one did; null without a window. */
  share: number | null;
  /** What it follows from, in words. */
  reason: string;
}

const HALF_HOUR = 2 * SLOT;
const RECORD_DAYS = 30;
/** How far back the record of lines is read. */
export const WINDOW_RECORD = RECORD_DAYS * DAY;
/** A half hour is a possible window when lines began in it on at least this share of the days, and as often as this. */
const LEAST_SHARE = 0.1;
const LEAST_LINES = 3;
/** Of fewer days than this a share says little: chance alone makes a line begin on three of four days somewhere. */
const LEAST_DAYS = 10;
/** The half hour is picked for its lines, of which chance made some: so many days without a line are added. */
const DAYS_WITHOUT = 20;

/**
 * The next half hour in which a line may begin, by when lines did begin in this pocket: working days and days of rest
 * are counted apart, since their hours differ, or together where too few of the kind are known.
 */
export function nextPossibleWindow({ now, live_until, began, since, calendar }: NextWindowInput): NextWindow {
  if (since === null || now - since < LEAST_DAYS * DAY)
    return {
      at: null,
      share: null,
      reason: `the pocket has been observed for fewer than ${LEAST_DAYS} days`,
    };
  const { zone } = calendar;
  const isRest = (time: number) => isRestDay(time, calendar);
  const days = Array.from({ length: RECORD_DAYS + 1 }, (_, ago) => zone.startOfDay(now, -ago)).map(
    (start) => ({
      start,
      rest: isRest(start),
    }),
  );
  const withLine = new Set(began.map((slot) => Math.floor(slot / HALF_HOUR)));
  // The half hour that has begun does not count, even in its first instant.
  const first = Math.ceil(Math.max(now + 1, live_until ?? 0) / HALF_HOUR);
  for (let at = first * HALF_HOUR; at < now + DAY; at += HALF_HOUR) {
    const rest = isRest(at);
    const halves = days
      .map((day) => ({ rest: day.rest, half: zone.atHour(day.start, zone.hourOfDay(at)) }))
      .filter(({ half }) => half >= Math.max(since, now - WINDOW_RECORD) && half + HALF_HOUR <= now);
    const like = halves.filter((day) => day.rest === rest);
    const [past, kind] =
      like.length >= LEAST_DAYS ? [like, rest ? 'days of rest' : 'working days'] : [halves, 'days'];
    const lines = past.filter(({ half }) => withLine.has(half / HALF_HOUR)).length;
    if (lines >= LEAST_LINES && lines >= LEAST_SHARE * past.length)
      return {
        at,
        share: round(lines / (past.length + DAYS_WITHOUT)),
        reason: `a line began between ${zone.localClock(at)} and ${zone.clockWithZone(at + HALF_HOUR)} on ${lines} of ${past.length} ${kind}`,
      };
  }
  return {
    at: null,
    share: null,
    reason: `in no half hour of the coming day did a line begin on ${LEAST_LINES} or more, and a tenth, of such days`,
  };
}
