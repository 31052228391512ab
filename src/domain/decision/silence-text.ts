/** Sentences on decisions: one line on each, and the answer of get_pocket_silence. */

import { isCalmState } from '../atmosphere/primary-state.ts';
import { percentAgainst } from '../text/figures.ts';
import type { Zone } from '../time/zone.ts';
import { EMIT_THRESHOLD } from './legitimacy.ts';
import { type Moment, SATURATION_LIMIT } from './moment.ts';
import type { NextWindow, SignalStatus } from './signal-status.ts';
import { isSilenceReason, type Reason, reasonText } from './silence-reason.ts';

export interface DecisionLine {
  pocket_id: string;
  slot: number;
  /** Null when the line was published. */
  reason: Reason | null;
  legitimacy_score: number;
}

/** One sentence on a decision and its cause. */
export function decisionLine(
  { pocket_id, slot, reason, legitimacy_score }: DecisionLine,
  zone: Zone,
): string {
  const when = `at ${zone.clockWithZone(slot)} on ${zone.localDate(slot)}`;
  const score = `legitimacy ${legitimacy_score} against a threshold of ${EMIT_THRESHOLD}`;
  if (reason === null)
    return `a line about ${pocket_id} was published ${when}: every gate was open; ${score}.`;
  return isSilenceReason(reason)
    ? `${pocket_id} was left in silence ${when}: ${reasonText[reason]}; ${score}.`
    : `nothing was decided about ${pocket_id} ${when}: ${reasonText[reason]}.`;
}

export interface SilenceTextInput {
  status: SignalStatus;
  moment: Moment;
  /** Why nothing was said at this moment; null when something was. */
  reason: Reason | null;
  /** When the live line expires; null when nothing is live. */
  live_until: number | null;
  /** Saturation now. */
  saturation: number;
  next_window: NextWindow;
  now: number;
  zone: Zone;
}

/** Why nothing is said now, once what was said has expired. */
export const EXPIRED = 'what was said has expired';

/** Why nothing more is said now, in one sentence with exactly the reason that was stored. */
export function justification({ status, moment, reason, live_until, now, zone }: SilenceTextInput): string {
  const cause = reason === null ? EXPIRED : reasonText[reason];
  if (live_until !== null)
    return `a line is live until about ${zone.clockWithZone(live_until)}, and nothing is added to it.`;
  if (reason === 'quiet_hours')
    return `nothing is decided from 23:00 to 07:00 ${zone.abbreviation(now)}: ${cause}.`;
  switch (status) {
    case 'DECAY_WINDOW':
      return `the moment is past its best, and nothing is said: ${cause}.`;
    case 'FORMING_WINDOW':
      return `a window is forming, and nothing is said yet: ${cause}.`;
    case 'STABLE_CALM':
      return `the pocket is ${moment.primary_state} and steady, and nothing is said: ${cause}.`;
    default:
      return reason === null ? `nothing is said: ${cause}.` : `a line was drafted and held back: ${cause}.`;
  }
}

/** Until when calm is likely; nothing where it is not calm. */
function calmLine({ primary_state, window_ends_at }: Moment, now: number, zone: Zone): string[] {
  if (window_ends_at !== null && window_ends_at > now)
    return [`calm is likely until about ${zone.clockWithZone(window_ends_at)}.`];
  return isCalmState(primary_state) ? ['calm may not hold for an hour.'] : [];
}

/** What is expected next, in the order of time. */
export function outlook({ moment, saturation, next_window, now, zone }: SilenceTextInput): string[] {
  return [
    ...calmLine(moment, now, zone),
    saturation > 0
      ? `recent messages use ${percentAgainst(saturation, SATURATION_LIMIT)} of the attention budget, less with each hour.`
      : 'the attention budget is free: nothing was said or offered lately.',
    windowLine(next_window, now, zone),
  ];
}

function windowLine({ at, reason }: NextWindow, now: number, zone: Zone): string {
  if (at === null) return `no next window can be estimated: ${reason}.`;
  const day = zone.localDate(at) === zone.localDate(now) ? '' : ` on ${zone.localDate(at)}`;
  return `the next window could open about ${zone.clockWithZone(at)}${day}: ${reason}.`;
}
