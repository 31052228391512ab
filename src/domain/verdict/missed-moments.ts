/** Missed moments: times at which a line would have served and none was live (docs/formulas.md, "Missed moments"). */
import { HOUR, SLOT } from '../time/slot.ts';

/** A waking reading of a pocket. */
export interface JudgedMoment {
  slot: number;
  /** Whether a line said at it would have served; null where that is not known. */
  serves: boolean | null;
  /** Whether a line was live. */
  live: boolean;
}

/** A shorter run is none. */
const SHORTEST = HOUR;

/** How many unbroken runs of at least an hour there are; the readings of one pocket, oldest first. */
export function missedMoments(readings: readonly JudgedMoment[]): number {
  let runs = 0;
  let length = 0;
  let last = Number.NaN;
  for (const { slot, serves, live } of readings) {
    const isMissed = serves === true && !live;
    length = isMissed ? (slot === last + SLOT ? length + SLOT : SLOT) : 0;
    if (length === SHORTEST) runs += 1;
    last = slot;
  }
  return runs;
}
