/**
 * Why the scores of a moment and what was decided at it differ (docs/formulas.md, "Scores and the decision"). The scores
 * describe a moment by different questions; the gates alone decide.
 */
import type { LegitimacyBand } from './legitimacy.ts';
import type { MqsBand } from './moment-quality.ts';
import { RESONANCE_THRESHOLD } from './resonance.ts';
import { type Reason, reasonText } from './silence-reason.ts';

/** What is published of a moment; null where a score was not computed. */
export interface PublishedScores {
  /** Why nothing was decided or said; null when a line was said. */
  reason: Reason | null;
  /** Whether the moment asks for silence. */
  should_stay_silent: boolean | null;
  mqs_band: MqsBand | null;
  resonance: number | null;
  legitimacy_band: LegitimacyBand | null;
  /** The index of the day. */
  index_band: LegitimacyBand | null;
}

/** A sentence for each score that calls for the opposite of what was decided, with the reason of the decision. */
export function disagreements(scores: PublishedScores): string[] {
  const { reason } = scores;
  const speaks = reason === null || reason === 'already_speaking';
  const because = speaks ? speaking[reason ?? 'said'] : `nothing was said: ${reasonText[reason]}`;
  return (speaks ? callsForSilence(scores) : callsToSpeak(scores)).map((call) => `${call}, and ${because}`);
}

const speaking = {
  said: 'a line was said: the calm was likely to hold, above what is usual, and every gate was open',
  already_speaking: 'a line is live: it was said earlier, and lasts to the end that it named',
};

const callsForSilence = (scores: PublishedScores): string[] => [
  ...(scores.should_stay_silent ? ['the moment asks for silence'] : []),
  ...(scores.mqs_band === 'silent' || scores.mqs_band === 'weak'
    ? [`the moment quality is ${scores.mqs_band}`]
    : []),
  ...(scores.resonance !== null && scores.resonance < RESONANCE_THRESHOLD
    ? ['the resonance is too low to speak']
    : []),
  ...(scores.legitimacy_band === 'remain_silent' ? ['a line would not be legitimate'] : []),
  ...(scores.index_band === 'remain_silent' ? ['the index of the day advises silence'] : []),
];

const callsToSpeak = (scores: PublishedScores): string[] => [
  ...(scores.mqs_band === 'peak' || scores.mqs_band === 'high_resonance'
    ? [`the moment quality is ${scores.mqs_band.replace('_', ' ')}`]
    : []),
  ...(scores.resonance !== null && scores.resonance >= RESONANCE_THRESHOLD
    ? ['the resonance is enough to speak']
    : []),
  ...(scores.legitimacy_band === 'legitimate' ? ['a line would be legitimate'] : []),
  ...(scores.index_band === 'legitimate' ? ['the index of the day allows a line'] : []),
];
