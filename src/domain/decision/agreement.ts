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
  /** Why nothing was said; null when a line was said or is live. */
  reason: Reason | null;
  mqs_band: MqsBand | null;
  resonance: number | null;
  legitimacy_band: LegitimacyBand | null;
  /** The index of the day. */
  index_band: LegitimacyBand | null;
}

const SAID = 'the calm was likely to hold, above what is usual, and every gate was open';

/** A sentence for each score that calls for the opposite of what was decided, with the reason of the decision. */
export function disagreements(scores: PublishedScores): string[] {
  const { reason, mqs_band, resonance, legitimacy_band, index_band } = scores;
  if (reason === null)
    return [
      ...(mqs_band === 'silent' || mqs_band === 'weak'
        ? [`the moment quality is ${mqs_band}, and a line was said: ${SAID}`]
        : []),
      ...(index_band === 'remain_silent'
        ? [`the index of the day advises silence, and a line was said: ${SAID}`]
        : []),
    ];
  const because = `and nothing was said: ${reasonText[reason]}`;
  return [
    ...(mqs_band === 'peak' || mqs_band === 'high_resonance'
      ? [`the moment quality is ${mqs_band.replace('_', ' ')}, ${because}`]
      : []),
    ...(resonance !== null && resonance >= RESONANCE_THRESHOLD
      ? [`the resonance is enough to speak, ${because}`]
      : []),
    ...(legitimacy_band === 'legitimate' ? [`a line would be legitimate, ${because}`] : []),
    ...(index_band === 'legitimate' ? [`the index of the day allows a line, ${because}`] : []),
  ];
}
