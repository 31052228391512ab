/** Finds outlets by name: part of it, in any case and with or without accents; where no name has the text, misspelt. */
import { normalise, similarity, wordSimilarity } from './name-index.ts';

export interface NameSearch<Named> {
  /** `part`: the names contain the text. `similar`: no name does, and these come nearest. */
  match: 'part' | 'similar';
  /** In the order given for `part`, the nearest first for `similar`. */
  found: Named[];
}

/** A text without letters or digits finds nothing. */
export function searchByName<Named extends { name: string }>(
  named: readonly Named[],
  query: string,
): NameSearch<Named> {
  const asked = normalise(query);
  if (asked === '') return { match: 'part', found: [] };
  const names = named.map((one) => ({ one, name: normalise(one.name) }));
  const containing = names.filter(({ name }) => name.includes(asked));
  if (containing.length) return { match: 'part', found: containing.map(({ one }) => one) };
  const similar = names
    .map(({ one, name }) => ({ one, score: nameSimilarity(asked, name) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { match: 'similar', found: similar.map(({ one }) => one) };
}

/** A shorter word allows no typing error, so it decides only where the query has no longer one. */
const LEAST_LETTERS = 4;

/** 0..1; 0 if a word of the query is like no word of the name, unless the two are alike written as one word. */
function nameSimilarity(asked: string, name: string): number {
  const whole = similarity(asked.replaceAll(' ', ''), name.replaceAll(' ', ''), 1);
  const typed = asked.split(' ');
  const long = typed.filter(({ length }) => length >= LEAST_LETTERS);
  const best = (long.length ? long : typed).map((word) =>
    Math.max(...name.split(' ').map((other) => wordSimilarity(word, other))),
  );
  const byWords = best.every((score) => score > 0)
    ? best.reduce((sum, score) => sum + score, 0) / best.length
    : 0;
  return Math.max(whole, byWords);
}
