/**
 * What people reported a pocket to feel like, and how far it agrees with the readings (docs/formulas.md,
 * "Perception and agreement").
 */

import type { PrimaryState } from '../atmosphere/primary-state.ts';
import { type SenseWord, senseWords } from '../signals/signal.ts';
import { SMALLEST_COUNT, suppressSmallCount } from '../stats/small-count-suppression.ts';
import { round } from '../stats/unit-scale.ts';
import type { SenseRelease } from './sense-release.ts';

/** How many people chose a word. */
type Chosen = Pick<SenseRelease, 'word' | 'people'>;

/**
 * How many people chose a word, and the state that was read when they were counted; null where there was no reading.
 * What is published is computed from releases only (sense-release.ts).
 */
export type Sensed = Chosen & { primary_state: PrimaryState | null };

/** A word is null where fewer than five are counted. */
export type Distribution = Record<SenseWord, { count: number; share: number } | null>;

/** The share of people expected to choose each word in a pocket of that state. Each row adds up to 1. */
export const expectedWords: Record<PrimaryState, Record<SenseWord, number>> = {
  'calm-productive': { calm: 0.5, busy: 0.1, social: 0.05, focused: 0.3, transitional: 0.05 },
  'calm-social': { calm: 0.45, busy: 0.1, social: 0.35, focused: 0.05, transitional: 0.05 },
  'calm-restful': { calm: 0.75, busy: 0.05, social: 0.1, focused: 0.05, transitional: 0.05 },
  'busy-productive': { calm: 0.05, busy: 0.5, social: 0.05, focused: 0.3, transitional: 0.1 },
  'lively-social': { calm: 0.1, busy: 0.3, social: 0.5, focused: 0.05, transitional: 0.05 },
  'tense-crowded': { calm: 0.05, busy: 0.65, social: 0.1, focused: 0.05, transitional: 0.15 },
  'rain-subdued': { calm: 0.6, busy: 0.05, social: 0.05, focused: 0.1, transitional: 0.2 },
  'mixed-transitional': { calm: 0.2, busy: 0.2, social: 0.1, focused: 0.1, transitional: 0.4 },
};

/** People by word; null where fewer than five chose it. */
export function wordCounts(sensed: readonly Chosen[]): Record<SenseWord, number | null> {
  const counts = chosenWords(sensed);
  return Object.fromEntries(senseWords.map((word) => [word, suppressSmallCount(counts[word])])) as Record<
    SenseWord,
    number | null
  >;
}

/** People in the words that are shown: a total that counted the others too would reveal them by subtraction. */
export const shownPeople = (sensed: readonly Chosen[]): number =>
  Object.values(wordCounts(sensed)).reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** Null when no word is shown. */
export function wordDistribution(sensed: readonly Sensed[]): Distribution | null {
  const total = shownPeople(sensed);
  if (total === 0) return null;
  const shown = wordCounts(sensed);
  return Object.fromEntries(
    senseWords.map((word) => {
      const count = shown[word];
      return [word, count === null ? null : { count, share: round(count / total) }];
    }),
  ) as Distribution;
}

function chosenWords(sensed: readonly Chosen[]): Record<SenseWord, number> {
  const counts = { calm: 0, busy: 0, social: 0, focused: 0, transitional: 0 };
  for (const { word, people } of sensed) counts[word] += people;
  return counts;
}

/**
 * How far people and readings agree, 0..1: 1 less half the total difference between the shares of the chosen words and
 * the shares expected from the states read when they were counted. Null when too few people or no readings.
 */
export function senseAgreement(sensed: readonly Sensed[]): number | null {
  const read = sensed.filter(({ primary_state }) => primary_state !== null);
  const total = read.reduce((sum, { people }) => sum + people, 0);
  if (total < SMALLEST_COUNT) return null;
  const chosen = chosenWords(read);
  const difference = senseWords.reduce((sum, word) => {
    const expectedPeople = read.reduce(
      (people, sense) =>
        people + (sense.primary_state ? sense.people * expectedWords[sense.primary_state][word] : 0),
      0,
    );
    return sum + Math.abs(chosen[word] - expectedPeople);
  }, 0);
  return round(1 - difference / (2 * total));
}
