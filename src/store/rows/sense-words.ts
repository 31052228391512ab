// How rows of words that people chose name the word and where it came from. The view of
// migrations/025_numbers_for_words.sql has the same: a number or a letter never changes its meaning.
import type { SenseWord } from '../../domain/signals/signal.ts';

export const senseWordNumbers: Record<SenseWord, number> = {
  calm: 1,
  busy: 2,
  social: 3,
  focused: 4,
  transitional: 5,
};

const letters = new Map([
  ['operator', 'o'],
  ['simulated:citizen-sense', 's'],
]);

export const toSenseSource = (source: string): string => letters.get(source) ?? `=${source}`;
