/** The candidate: the one line that could be said of a moment (docs/formulas.md, "Candidate line and narratives"). */

import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { MINUTE, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';

/** What the candidate line is written from. */
export interface CandidateInput {
  /** The pocket's display name. */
  name: string;
  now: number;
  zone: Zone;
  primary_state: PrimaryState;
  calm: number;
  stress: number;
  usual_stress: number | null;
  network_calm: number | null;
  half_life_minutes: number;
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
  const { name, now, zone, primary_state, half_life_minutes } = input;
  const variants = moods[primary_state];
  const variant = Math.floor(now / SLOT) + name.length;
  const mood = variants[variant % variants.length] ?? primary_state;
  // A clock time stays true while the line is live; a number of minutes would not.
  const window = `until about ${zone.clockOf(now + half_life_minutes * MINUTE)}`;
  return { observation: `${name.toLowerCase()} is ${mood}`, math: figure(input), window };
}

/** The three beats in one sentence: at most 18 words, unless the pocket's name has more than five. */
export function candidateLine(input: CandidateInput): string {
  const { observation, math, window } = composeBeats(input);
  return `${observation}; ${math}; ${window}.`;
}

/** From here on a comparison is worth stating before the plain level of calm. */
const CLEARLY_EASED = 0.05;
const CLEARLY_CALMER = 0.08;
/** From here on the gate why_this_place opens (gates.ts), so an open gate always leaves something good to state. */
const EASED = 0.015;
const CALMER = 0.035;
/** Calm from which the level alone is good news; the calm states begin here. */
const CALM = 0.55;

/**
 * What is good about the moment, as a figure: stress under its usual, calm above the network, or a calm level. A moment
 * without any gets its plain level; the gate why_this_place is closed then, so that such a line is never published.
 */
function figure({ calm, stress, usual_stress, network_calm }: CandidateInput): string {
  const eased = usual_stress === null ? 0 : usual_stress - stress;
  const calmer = network_calm === null ? 0 : calm - network_calm;
  const stressText = `stress ${eased.toFixed(2)} under its usual`;
  const calmText = `calm ${calm.toFixed(2)} against ${network_calm?.toFixed(2)} around`;
  if (eased >= CLEARLY_EASED) return stressText;
  if (calmer >= CLEARLY_CALMER) return calmText;
  if (calm >= CALM) return `calm ${calm.toFixed(2)}`;
  if (eased >= EASED) return stressText;
  if (calmer >= CALMER) return calmText;
  return `calm only ${calm.toFixed(2)}`;
}
