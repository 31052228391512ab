// What a published 0 means where nobody says it: full, empty, closed or out of order. The values before it tell, those of
// the sensor itself and those of its neighbours. What they do not tell is no data (docs/sources.md, "What zero means").
import { HOUR, MINUTE } from '../../../domain/time/slot.ts';
import type { FieldUse } from '../feed.ts';
import type { SensorRun } from '../frozen.ts';

/** A last value up to this share of the largest, or up to so many units, has run down towards 0. */
const NEAR_SHARE = 0.1;
const NEAR_UNITS = 3;
/** Values further apart than this, and than they stay fresh, do not follow each other. */
const LONGEST_GAP_MS = HOUR;
/** A garage whose last place stays taken for longer has closed meanwhile. Streets may be empty for as long as they like. */
export const LONGEST_FULL_MS = 12 * HOUR;
/** So many places, and half of those that showed anything, do not run down to 0 together: their system has closed. */
const LEAST_CLOSED = 3;
/** A place of which more than this share is free does not fill up between two values. */
const MOST_FREE_SHARE = 0.5;
/** Before, the largest value of a sensor says little. */
const LEAST_SEEN_MS = 24 * HOUR;

export type ZeroMeaning = 'value' | 'no_data';
type Use = Pick<FieldUse, 'points' | 'fresh_minutes'>;

const isNearZero = (value: number, largest: number): boolean =>
  value <= Math.max(NEAR_UNITS, NEAR_SHARE * largest);

const follows = ({ until }: SensorRun, at: number, { fresh_minutes }: Use): boolean =>
  at - until <= Math.max(LONGEST_GAP_MS, fresh_minutes * MINUTE);

/** Of a sensor by itself: `run` is what it showed before the 0 at `at`. */
export function zeroMeaning(run: SensorRun | undefined, at: number, use: Use): ZeroMeaning {
  if (!run || !follows(run, at, use)) return 'no_data';
  if (run.value !== 0) return isNearZero(run.value, run.largest) ? 'value' : 'no_data';
  const closedMeanwhile = use.points === 'down' && at - run.since > LONGEST_FULL_MS;
  return closedMeanwhile ? 'no_data' : (run.zero ?? 'no_data');
}

/**
 * Whether the places of a feed closed together: each with what it showed before, and its value now. Garages that are all
 * nearly full go to 0 together as well, and then some others do not: at least one must fall from far above, or all.
 */
export function closedTogether(places: readonly { run: SensorRun | undefined; value: number }[]): boolean {
  const before = places.filter(({ run }) => run && run.value !== 0);
  const fell = before.filter(({ value }) => value === 0);
  if (fell.length < LEAST_CLOSED || fell.length * 2 < before.length) return false;
  return fell.length === before.length || fell.some(({ run }) => run && !isNearZero(run.value, run.largest));
}

/**
 * Whether a garage that is said to be full can be: some publishers write it for closed ones. `run` is what it showed
 * before.
 */
export function mayBeFull(run: SensorRun | undefined, at: number, { points }: Use): boolean {
  if (!run || points !== 'down') return true;
  if (run.value === 0 && at - run.since > LONGEST_FULL_MS) return false;
  const isKnown = at - run.first_seen >= LEAST_SEEN_MS && run.shown !== null;
  return !isKnown || (run.shown ?? 0) <= MOST_FREE_SHARE * run.largest;
}
