// Terms of the domain inside a text: a link to the definition, which the browser shows on hover and the stylesheet on
// keyboard focus. Works without a script; on a touch screen the definition is one tap away.
import { findTerm, plainText, toSlug } from '../site/glossary.ts';
import { type Html, html } from './html.ts';

/**
 * `word` is a term or an alias of docs/glossary.md; `text` is what the page shows for it. A word that is not in the
 * glossary stays plain text, so that a page is never lost to it: glossary.test.ts finds such a word in the sources.
 */
export function term(word: string, text = word): Html {
  const found = findTerm(word);
  if (!found) return html`${text}`;
  return html`<a class="term" href="/glossary#${toSlug(word)}" title="${plainText(found.definition)}">${text}</a>`;
}

/** Terms that a newcomer does not know. Words of everyday use, such as "reason", are left to the glossary. */
export const explainedTerms = [
  ...['pocket', 'outlet', 'silence', 'calm level', 'calm probability', 'usual calm', 'gate', 'resonance'],
  ...[
    'legitimacy',
    'equilibrium',
    'verdict',
    'vindication',
    'attention budget',
    'saturation',
    'friction',
    'fragility',
  ],
  ...[
    'completeness',
    'counterfactual',
    'naive baseline',
    'persistence',
    'same hour last week',
    'Brier score',
    'horizon',
    'generator',
  ],
  ...['inconclusive', 'checkpoint', 'backtest', 'deal proposal'],
] as const;

const anyTerm = new RegExp(`\\b(${explainedTerms.join('|')})s?\\b`, 'gi');

/** The explained terms that a page's text uses and that no link on it defines yet, in the order of the list. */
export function undefinedTerms({ markup }: Html): string[] {
  const linked = new Set([...markup.matchAll(/href="\/glossary#([^"]+)"/g)].map(([, slug]) => slug));
  const used = new Set(
    [...markup.replaceAll(/<[^>]*>/g, ' ').matchAll(anyTerm)].map(([, word = '']) => word.toLowerCase()),
  );
  return explainedTerms.filter((word) => used.has(word.toLowerCase()) && !linked.has(toSlug(word)));
}

/** The definitions that a page's text did not link to, so that every term is one tap away. */
export function termsNote(body: Html): Html | null {
  const words = undefinedTerms(body);
  return words.length
    ? html`\n<p class="note">Terms on this page: ${words.map((word, at) => html`${at ? ', ' : ''}${term(word)}`)}.</p>`
    : null;
}
