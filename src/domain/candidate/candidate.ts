/** The candidate: the one line that could be said of a moment (docs/formulas.md, "Candidate line and narratives"). */

import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { spokenClock } from '../text/spoken-clock.ts';
import { EMIT_WORDS, wordCount } from '../text/voice.ts';
import { SLOT } from '../time/slot.ts';
import { type ComparedCalm, calmComparisons } from './calm-comparison.ts';

/** What the candidate line is written from. */
export interface CandidateInput extends ComparedCalm {
  /** The pocket's display name. */
  name: string;
  primary_state: PrimaryState;
  /** When it is likely over. */
  ends_at: number;
}

/** At most four words each, so that a line about a name of five words has room for a comparison. */
const moods: Record<PrimaryState, readonly string[]> = {
  'calm-productive': ['quiet and at work', 'calm over its work', 'settled into its work'],
  'calm-social': ['calm and sociable', 'easy and in talk', 'unhurried and in company'],
  'calm-restful': ['resting', 'quiet and slow', 'at ease'],
  'busy-productive': ['busy at work', 'brisk', 'full and working'],
  'lively-social': ['lively', 'full of talk', 'out and about'],
  'tense-crowded': ['crowded', 'tense', 'under pressure'],
  'rain-subdued': ['hushed by rain', 'slowed by rain', 'indoors for the rain'],
  'mixed-transitional': ['between moods', 'changing over', 'in passing'],
};

/** The three parts of a line: what is observed, how it compares, how long it may last. */
export interface Beats {
  observation: string;
  /** The figures, held against each other in words. */
  math: string;
  window: string;
}

export function composeBeats(input: CandidateInput): Beats {
  const { name, now, zone, primary_state, ends_at } = input;
  const variants = moods[primary_state];
  const variant = Math.floor(now / SLOT) + name.length;
  const mood = variants[variant % variants.length] ?? primary_state;
  const observation = `${name.toLowerCase()} is ${mood}`;
  // A clock time stays true while the line is live; a number of minutes would not.
  const window = `until about ${spokenClock(ends_at, zone)}`;
  const room = EMIT_WORDS - wordCount(observation) - wordCount(window);
  const comparisons = calmComparisons(input);
  const math = comparisons.find((words) => wordCount(words) <= room) ?? comparisons.at(-1) ?? '';
  return { observation, math, window };
}

/** The three beats in one sentence: at most 18 words, unless the pocket's name has more than five. */
export function candidateLine(input: CandidateInput): string {
  const { observation, math, window } = composeBeats(input);
  return `${observation}; ${math}; ${window}.`;
}
