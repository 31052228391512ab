/** Why a pocket has no moment at a slot, and so nothing to decide: what is missing, by name and since when. */

import { RANGE_LEARNING } from '../signals/crowd.ts';
import type { ExpectedSignal } from '../signals/signal.ts';
import type { CrowdGap } from '../signals/snapshot.ts';
import { dayNames } from '../time/periods.ts';
import { DAY, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/** In words, as the end of a sentence. */
export const noMomentText = {
  no_crowd: 'nothing measured here shows how many people are around',
  not_observed: 'nothing has been measured here',
  not_kept: 'whatever was measured here then is no longer kept',
  archived: 'what was decided here then, if anything was, is in the archive of the ledger',
  crowd_missing: 'no count of people',
  crowd_closed: 'what stands for people here is closed',
  crowd_learning: 'how full it gets here is still being learned',
  stand_ins_only:
    'what is measured here is as full at night as by day, and tells nothing of people in the street',
  thin_data: 'not enough recent data',
} as const;
export const noMomentReasons = Object.keys(noMomentText) as NoMoment[];
export type NoMoment = keyof typeof noMomentText;

const ofGap: Record<CrowdGap, NoMoment> = {
  none: 'no_crowd',
  missing: 'crowd_missing',
  closed: 'crowd_closed',
  learning: 'crowd_learning',
  fullest_at_night: 'stand_ins_only',
};

/**
 * The snapshot of a slot; null where there is none, `not_kept` where it may have been let go, `archived` where the decision
 * may have left with the entries of the ledger.
 */
export type MeasuredCrowd = { crowd_gap: CrowdGap | null } | 'not_kept' | 'archived' | null;

export function noMomentReason(expects: readonly ExpectedSignal[], measured: MeasuredCrowd): NoMoment {
  if (!expects.includes('footfall') && !expects.includes('crowd')) return 'no_crowd';
  if (!measured) return 'not_observed';
  if (measured === 'not_kept' || measured === 'archived') return measured;
  return measured.crowd_gap === null ? 'thin_data' : ofGap[measured.crowd_gap];
}

/** What is missing in a pocket now. Times are epoch milliseconds. */
export interface MissingCrowd {
  reason: NoMoment;
  /** Since when; null where it was never there. */
  since: number | null;
  /** About until when, where it is being learned. */
  until: number | null;
}

export interface MissingInput {
  expects: readonly ExpectedSignal[];
  /** The newest snapshot of the last half hour. */
  measured: { crowd_gap: CrowdGap | null } | null;
  /** The last slot whose crowd was known, the last that was measured at all, and the first. */
  last_crowd: number | null;
  last_measured: number | null;
  first_measured: number | null;
}

export function missingCrowd(input: MissingInput): MissingCrowd {
  const { last_crowd, last_measured, first_measured } = input;
  const reason = noMomentReason(input.expects, input.measured);
  switch (reason) {
    case 'crowd_missing':
    case 'crowd_closed':
      return { reason, since: firstWithout(last_crowd), until: null };
    case 'not_observed':
      return { reason, since: firstWithout(last_measured), until: null };
    case 'crowd_learning':
      return {
        reason,
        since: first_measured,
        until: first_measured === null ? null : first_measured + RANGE_LEARNING,
      };
    default:
      return { reason, since: null, until: null };
  }
}

/** The first slot that lacked something which the slot before still had. */
const firstWithout = (last: number | null): number | null => (last === null ? null : last + SLOT);

/** "no count of people since 12:45"; the day is told where it is another one. */
export function missingText({ reason, since, until }: MissingCrowd, now: number, zone: Zone): string {
  const when = (time: number) =>
    zone.localDate(time) === zone.localDate(now)
      ? zone.localClock(time)
      : now - time < 6 * DAY
        ? `${dayNames[zone.weekday(time)]} ${zone.localClock(time)}`
        : zone.localDate(time);
  const began = since === null ? '' : ` since ${when(since)}`;
  const ends = until === null || until <= now ? '' : `, until about ${zone.localDate(until)}`;
  return `${noMomentText[reason]}${began}${ends}`;
}

/** Two weeks of one hour of the week (stats/norm.ts): until then what is usual there is not known. */
export const USUAL_LEARNING = 14 * DAY;

/** What a learned city or pocket is still learning; null when both steps are over. */
export interface Learning {
  step: 'range' | 'usual';
  since: number | null;
  until: number | null;
}

/** First how full it gets (no reading), then what is usual at each hour of the week (readings, and silence). */
export function learningStep(
  now: number,
  first_measured: number | null,
  first_reading: number | null,
): Learning | null {
  if (first_reading === null)
    return {
      step: 'range',
      since: first_measured,
      until: first_measured === null ? null : first_measured + RANGE_LEARNING,
    };
  const until = first_reading + USUAL_LEARNING;
  return now < until ? { step: 'usual', since: first_reading, until } : null;
}
