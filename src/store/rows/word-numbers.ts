// The numbers by which rows name a word of a closed set. The views of migrations/017_narrow_rows.sql have them too: a number
// never changes its meaning, and a new word needs a new view.
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { Direction } from '../../domain/decision/equilibrium.ts';
import { type MomentReason, momentReasonText } from '../../domain/decision/moment.ts';
import type { MqsBand } from '../../domain/decision/moment-quality.ts';
import type { Substrate } from '../../domain/signals/signal.ts';

export const stateNumbers: Record<PrimaryState, number> = {
  'calm-productive': 1,
  'calm-social': 2,
  'calm-restful': 3,
  'busy-productive': 4,
  'lively-social': 5,
  'tense-crowded': 6,
  'rain-subdued': 7,
  'mixed-transitional': 8,
};

export const bandNumbers: Record<MqsBand, number> = {
  silent: 1,
  weak: 2,
  forming: 3,
  high_resonance: 4,
  peak: 5,
  decaying: 6,
};

export const directionNumbers: Record<Direction, number> = {
  forming: 1,
  improving: 2,
  stable: 3,
  degrading: 4,
  unknown: 5,
};

export const substrateNumbers: Record<Substrate, number> = { simulated: 1, live: 2, replay: 3 };

const reasonBits: Record<MomentReason, number> = {
  quiet_hours: 1,
  no_norm: 2,
  tense: 4,
  fragile: 8,
  heard_enough: 16,
};
const known = Object.keys(reasonBits) as MomentReason[];

/** A bit for each reason; other texts than these, in this order, are stored as they are. */
export function toReasonBits(texts: readonly string[]): { reasons: number; other_reasons: string | null } {
  const found = known.filter((reason) => texts.includes(momentReasonText[reason]));
  const isAll =
    found.length === texts.length && found.every((reason, n) => momentReasonText[reason] === texts[n]);
  return {
    reasons: found.reduce((bits, reason) => bits | reasonBits[reason], 0),
    other_reasons: isAll ? null : JSON.stringify(texts),
  };
}
