// Terms of the domain inside a text: a link to the definition, which the browser shows on hover and the stylesheet on
// keyboard focus. Works without a script; on a touch screen the definition is one tap away.
import { findTerm, plainText, slugOf } from '../site/glossary.ts';
import { type Html, html } from './html.ts';

/**
 * `word` is a term or an alias of docs/glossary.md; `text` is what the page shows for it. A word that is not in the
 * glossary stays plain text, so that a page is never lost to it: glossary.test.ts finds such a word in the sources.
 */
export function term(word: string, text = word): Html {
  const found = findTerm(word);
  if (!found) return html`${text}`;
  return html`<a class="term" href="/glossary#${slugOf(word)}" title="${plainText(found.definition)}">${text}</a>`;
}
