// Links to the same page with another option, such as how far back it looks.
import Type from 'typebox';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { type Html, html } from './html.ts';

/** Links to the same page with other values of one query parameter; the value shown now is marked. */
export const optionLinks = (
  label: string,
  path: string,
  name: string,
  shown: string,
  options: readonly (readonly [value: string, words: string])[],
): Html => html`
<nav class="choices" aria-label="${label}"><ul class="links">${options.map(
  ([value, words]) =>
    html`<li><a href="${path}?${name}=${value}"${value === shown ? html` aria-current="true"` : null}>${words}</a></li>`,
)}</ul></nav>`;

/** How far back pages about silences and trust look, as part of a sentence. */
export const windowLabels = {
  '7d': 'the last 7 days',
  '14d': 'the last 14 days',
  '30d': 'the last 30 days',
} as const;

export const windowInput = {
  window: Type.Enum(['7d', '14d', '30d'], { default: '7d', description: 'how far back' }),
};

export const windowLinks = (path: string, shown: keyof typeof windowLabels): Html =>
  optionLinks(
    'How far back',
    path,
    'window',
    shown,
    Object.entries(windowLabels).map(([value, words]) => [value, sentenceCase(words)]),
  );
