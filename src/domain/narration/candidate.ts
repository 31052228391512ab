/** The candidate: the one line that could be said of a moment (docs/formulas.md, "Candidate line and narratives"). */

import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { clockOf, MINUTE, SLOT } from '../time/sgt.ts';

/** What the candidate line is written from. */
export interface CandidateInput {
  /** The pocket's display name. */
  name: string;
  now: number;
  primary_state: PrimaryState;
  calm: number;
  stress: number;
  usual_stress: number | null;
  network_calm: number | null;
  half_life_minutes: number;
  rain_mm: number | null;
}

const moods: Record<PrimaryState, readonly string[]> = {
  'calm-productive': ['quiet and at work', 'calm, with work under way', 'settled into its work'],
  'calm-social': ['calm and sociable', 'easy, with talk at tables', 'unhurried and in company'],
  'calm-restful': ['resting', 'quiet and slow', 'at ease'],
  'busy-productive': ['busy at work', 'brisk', 'full and working'],
  'lively-social': ['lively', 'full of talk', 'out and about'],
  'tense-crowded': ['crowded', 'tense', 'under pressure'],
  'rain-subdued': ['hushed by rain', 'slowed by rain', 'indoors for the rain'],
  'mixed-transitional': ['between moods', 'changing over', 'in passing'],
};

/** The three parts of a line: what is observed, the figure behind it, how long it may last. */
export interface Beats {
  observation: string;
  math: string;
  window: string;
}

export function composeBeats(input: CandidateInput): Beats {
  const { name, now, primary_state, half_life_minutes } = input;
  const variants = moods[primary_state];
  const variant = Math.floor(now / SLOT) + name.length;
  const mood = variants[variant % variants.length] ?? primary_state;
  // A clock time stays true while the line is live; a number of minutes would not.
  const window = `until about ${clockOf(now + half_life_minutes * MINUTE)}`;
  return { observation: `${name.toLowerCase()} is ${mood}`, math: figure(input), window };
}

/** The three beats in one sentence: at most 18 words, unless the pocket's name has more than five. */
export function candidateLine(input: CandidateInput): string {
  const { observation, math, window } = composeBeats(input);
  return `${observation}; ${math}; ${window}.`;
}

/** The figure: stress against its usual, else calm against the network, else rain, else calm alone. */
function figure({ calm, stress, usual_stress, network_calm, rain_mm }: CandidateInput): string {
  const calmer = usual_stress === null ? 0 : usual_stress - stress;
  if (Math.abs(calmer) >= 0.05)
    return `stress ${Math.abs(calmer).toFixed(2)} ${calmer > 0 ? 'under' : 'over'} its usual`;
  if (network_calm !== null && Math.abs(calm - network_calm) >= 0.08)
    return `calm ${calm.toFixed(2)} against ${network_calm.toFixed(2)} around`;
  if (rain_mm !== null && rain_mm > 0) return `${rain_mm.toFixed(1)} mm of rain`;
  return `calm ${calm.toFixed(2)}`;
}
