// What the search suggests while somebody types: every name of a pocket and of a place that the city's files list. Loaded
// when the field is first used, so that the page stays small.
import type { Registry } from '../../../domain/city/city.ts';

/** Beyond this browsers show a list slowly; names of pockets come first. */
const MAX_SUGGESTIONS = 3000;

/** A name, and for another name of the same place the one that pages use. */
type Suggestion = [name: string] | [otherName: string, name: string];

export function nameSuggestions({ pockets, places }: Pick<Registry, 'pockets' | 'places'>): Suggestion[] {
  const listed = new Map<string, Suggestion>();
  const add = (...suggestion: Suggestion) => {
    const key = suggestion[0].toLowerCase();
    if (!listed.has(key)) listed.set(key, suggestion);
  };
  for (const { name } of [...pockets, ...places]) add(name);
  for (const { name, aliases } of [...pockets, ...places]) for (const alias of aliases) add(alias, name);
  return [...listed.values()].slice(0, MAX_SUGGESTIONS);
}
