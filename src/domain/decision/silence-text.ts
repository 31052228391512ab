/** The sentences of get_pocket_silence. */

import { clockOf, dateOf } from '../time/sgt.ts';
import { type ClosedGate, closedGateText } from './decision-text.ts';
import { type Moment, minutesLeft } from './moment.ts';
import type { NextWindow, SignalStatus } from './signal-status.ts';

export interface SilenceTextInput {
  status: SignalStatus;
  moment: Moment;
  /** The gate that closed in the decision on this moment; null when it was published. */
  gate: ClosedGate | null;
  /** When the live line expires; null when nothing is live. */
  live_until: number | null;
  /** Saturation now. */
  saturation: number;
  next_window: NextWindow;
  now: number;
}

/** Why nothing more is said now, in one sentence. */
export function justification({ status, moment, gate, live_until }: SilenceTextInput): string {
  const cause = gate === null ? 'what was said has run its course' : closedGateText[gate];
  switch (status) {
    case 'ACTIVE_INTERVENTION':
      return `a line is live until about ${clockOf(live_until ?? 0)} SGT, and nothing needs adding to it.`;
    case 'DECAY_WINDOW':
      return 'the moment is falling from its height; silence lets it close.';
    case 'FORMING_WINDOW':
      return `a window is forming; silence holds until it is whole: ${cause}.`;
    case 'STABLE_CALM':
      return `the pocket is ${moment.primary_state} and steady; nothing needs saying.`;
    default:
      return `a line was drafted and held back: ${[cause, ...moment.silence_reasons].join('; ')}.`;
  }
}

/** What is expected next, in the order of time. */
export function outlook({ moment, saturation, next_window, now }: SilenceTextInput): string[] {
  const left = minutesLeft(moment, now);
  return [
    left > 0
      ? `${moment.primary_state} may hold for some ${left} minutes more.`
      : `${moment.primary_state} may be giving way.`,
    saturation > 0
      ? `attention is ${saturation} taken up by what was said lately, less with each hour.`
      : 'attention here is free: nothing was said lately.',
    windowLine(next_window, now),
  ];
}

function windowLine({ at, reason }: NextWindow, now: number): string {
  if (at === null) return `no next window can be named: ${reason}.`;
  const day = dateOf(at) === dateOf(now) ? '' : ` on ${dateOf(at)}`;
  return `the next window could open about ${clockOf(at)} SGT${day}: ${reason}.`;
}
