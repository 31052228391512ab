/** Restraint in time: in how much of the observed waking time a line was live (docs/formulas.md, "Restraint in time"). */
import { percentText } from '../text/figures.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import { type PocketSum, roundedShare, type Sums } from './rollup.ts';

/** Of one pocket, or the sum over several. */
export interface WakingTime {
  minutes_said: number;
  minutes_silent: number;
  /** Null when no waking slot was observed. */
  share_said: number | null;
}

/** Each waking slot with a moment is one of these; a line was live in it unless it was a silence. */
export const wakingSums = ['emissions', 'already_speaking', 'silences'] as const satisfies PocketSum[];

export function wakingTime(slots: Readonly<Sums<(typeof wakingSums)[number]>>): WakingTime {
  const said = slots.emissions + slots.already_speaking;
  return {
    minutes_said: (said * SLOT) / MINUTE,
    minutes_silent: (slots.silences * SLOT) / MINUTE,
    share_said: roundedShare(said, said + slots.silences),
  };
}

const hours = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Minutes up to an hour and a half, then hours. */
export const hoursText = (minutes: number): string =>
  minutes > 90 ? `${hours.format(minutes / 60)} hours` : `${minutes} minutes`;

/** The part of a sentence that every text and page states restraint with. */
export const wakingTimeText = ({ minutes_said, minutes_silent, share_said }: WakingTime): string =>
  share_said === null
    ? 'no waking time was observed'
    : `a line was live for ${percentText(share_said, 1)} of waking time: ${hoursText(minutes_said)} said, ${hoursText(minutes_silent)} silent`;
