// The pocket or outlet that a person's words name.
import { findOutlet, outletsNamed } from '../../../domain/city/lists/find-entries.ts';
import type { PromptContext, Step } from './prompt.ts';

/** The pocket with exactly this id, name or alias. */
export const pocketNamed = (words: string, { lookup }: PromptContext): string | undefined =>
  lookup.find(words).find(({ confidence }) => confidence === 1)?.pocket_id;

/** The id of a pocket for the steps after these, which find it where the words do not name one exactly. */
export function findPocket(words: string, context: PromptContext): { id: string; steps: Step[] } {
  const id = pocketNamed(words, context);
  if (id !== undefined) return { id, steps: [] };
  return {
    id: '<pocket_id of the first match>',
    steps: [
      {
        tool: 'lookup_pocket_by_name',
        given: { query: [...words].slice(0, 80).join('') },
        note: 'Take the first match; if there is none, say so, offer its suggestions and stop.',
      },
    ],
  };
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of the only active outlet with this id or name. */
export function outletNamed(words: string, { registry }: PromptContext): string | undefined {
  if (UUID.test(words)) return words.toLowerCase();
  const named = outletsNamed(registry, words).filter(({ active }) => active);
  return named.length === 1 ? named[0]?.id : undefined;
}

export function outletPocket(outletId: string | undefined, { registry }: PromptContext): string | undefined {
  const outlet = findOutlet(registry, outletId ?? '');
  return outlet?.active ? outlet.pocket_id : undefined;
}
