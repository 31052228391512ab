/** Moment briefs: when, and for which window, a merchant is asked (docs/formulas.md, "Moment brief"). */

import type { Outlet } from '../city/city.ts';
import type { Moment } from '../decision/moment.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import { decisionId } from '../decision/silence.ts';
import { clamp } from '../stats/unit-scale.ts';
import { type Hours, openingHours, timeUntilClose } from '../time/opening-hours.ts';
import { HOUR, MINUTE, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import type { Readiness, ReadinessState } from './readiness.ts';
import { type ValueStack, valueStack } from './value-stack.ts';

export interface BriefWindow {
  window_start: number;
  window_end: number;
}

/** An offer to one merchant to open a window in which a visit is worth more than usual to both sides. */
export interface MomentBrief extends BriefWindow {
  id: string;
  slot: number;
  pocket_id: string;
  outlet_id: string;
  state: ReadinessState;
  line: string;
  value_stack: ValueStack;
  /** The merchant must answer before this time. */
  expires_at: number;
}

/** Who recorded the answer: an operator's command, or a merchant of the simulated city. */
export type AnsweredBy = 'operator' | 'simulated';

/** Legitimacy from which a merchant may be asked: at least borderline. */
const LEAST_LEGITIMACY = 40;
/** An offer needs room for guests, and an hour that is emptier than usual by as much as readiness asks (IDLE there). */
export const LEAST_SPARE_CAPACITY = 0.4;
export const LEAST_IDLE = 0.1;
/** Time between the offer and its window, so that the merchant can answer. */
const NOTICE = SLOT;
/** An offer that is not answered lapses after three slots: a judgement. */
const LAPSES_AFTER = 45 * MINUTE;
const SHORTEST_WINDOW = HOUR;
const LONGEST_WINDOW = 2 * HOUR;
/** Briefs an outlet gets a day, the pause between two of them, and briefs a pocket gets at one slot. */
const MOST_A_DAY = 3;
const PAUSE = 4 * HOUR;
export const MOST_AT_ONCE = 2;

/** MQS bands of a moment that is worth offering. */
export const openBands: readonly MqsBand[] = ['forming', 'high_resonance', 'peak'];

export interface BriefMoment {
  moment: Pick<Moment, 'pocket_id' | 'primary_state' | 'half_life_minutes' | 'should_stay_silent'>;
  band: MqsBand;
  legitimacy_score: number;
  calm: number;
  /** The pressure of rain, 0..1. */
  rain: number;
}

/** Whether the moment justifies asking a merchant. */
export const isWorthABrief = ({ moment, band, legitimacy_score }: BriefMoment): boolean =>
  !moment.should_stay_silent && openBands.includes(band) && legitimacy_score >= LEAST_LEGITIMACY;

export interface ReadyOutlet {
  outlet: Outlet;
  readiness: Pick<Readiness, 'state' | 'idle_pressure'>;
  /** 0..1; null when its activity was not counted. */
  spare_capacity: number | null;
  /** Slots of the briefs it was offered today. */
  offered: readonly number[];
  /** A brief is still open, or a commitment has not ended. */
  engaged: boolean;
}

const isReady = (
  { outlet, readiness, spare_capacity, offered, engaged }: ReadyOutlet,
  slot: number,
): boolean =>
  outlet.active &&
  !engaged &&
  offered.length < MOST_A_DAY &&
  offered.every((earlier) => slot - earlier >= PAUSE) &&
  readiness.state.startsWith('READY_') &&
  (readiness.idle_pressure ?? 0) >= LEAST_IDLE &&
  (spare_capacity ?? 0) >= LEAST_SPARE_CAPACITY;

/** The briefs of one pocket at a slot: for the most idle of its ready outlets that stay open long enough. */
export function draftBriefs(
  slot: number,
  subject: BriefMoment,
  outlets: readonly ReadyOutlet[],
  zone: Zone,
): MomentBrief[] {
  if (!isWorthABrief(subject)) return [];
  return outlets
    .filter((ready) => isReady(ready, slot))
    .flatMap((ready) => {
      const window = windowFor(ready.outlet, slot, subject.moment.half_life_minutes, zone);
      return window ? [{ ...ready, window }] : [];
    })
    .sort(
      (a, b) =>
        (b.readiness.idle_pressure ?? 0) - (a.readiness.idle_pressure ?? 0) ||
        (a.outlet.id < b.outlet.id ? -1 : 1),
    )
    .slice(0, MOST_AT_ONCE)
    .map(({ outlet, readiness, spare_capacity, window }, n) => ({
      id: `${decisionId(subject.moment.pocket_id, slot)}.brief${n + 1}`,
      slot,
      pocket_id: subject.moment.pocket_id,
      outlet_id: outlet.id,
      state: readiness.state,
      line: `${subject.moment.primary_state} outside and room inside, ${zone.localClock(window.window_start)} to ${zone.clockWithZone(window.window_end)}.`,
      value_stack: valueStack({
        category: outlet.category,
        seats: outlet.seats,
        state: readiness.state,
        idle_pressure: readiness.idle_pressure ?? 0,
        spare_capacity: spare_capacity ?? 0,
        calm: subject.calm,
        rain: subject.rain,
        half_life_minutes: subject.moment.half_life_minutes,
        window_minutes: (window.window_end - window.window_start) / MINUTE,
        day_gone: dayGone(outlet, slot, zone),
      }),
      ...window,
      expires_at: slot + LAPSES_AFTER,
    }));
}

/** Starts a slot later and lasts as long as the half-life, one hour to two; null when the outlet closes before that. */
export function windowFor(
  outlet: Hours,
  slot: number,
  half_life_minutes: number,
  zone: Zone,
): BriefWindow | null {
  const window_start = slot + NOTICE;
  const lasting = clamp(
    Math.ceil((half_life_minutes * MINUTE) / SLOT) * SLOT,
    SHORTEST_WINDOW,
    LONGEST_WINDOW,
  );
  const length = Math.min(lasting, timeUntilClose(outlet, slot, zone) - NOTICE);
  return length >= SHORTEST_WINDOW ? { window_start, window_end: window_start + length } : null;
}

function dayGone(outlet: Hours, slot: number, zone: Zone): number {
  const { opens, closes } = openingHours(outlet);
  // On a day of 25 hours more may be left than the clock hours of the opening time.
  return clamp(1 - timeUntilClose(outlet, slot, zone) / ((closes - opens) * HOUR));
}
