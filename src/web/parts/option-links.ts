// Links to the same page that looks farther back, or less far.
import Type from 'typebox';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { type Html, html } from './html.ts';

/** Links to the same page with other values of the query parameter that says how far back; the value shown now is marked. */
export const optionLinks = (
  path: string,
  name: string,
  shown: string,
  labels: Readonly<Record<string, string>>,
): Html => html`
<nav class="choices" aria-label="How far back"><ul class="links">${Object.entries(labels).map(
  ([value, words]) =>
    html`<li><a href="${path}?${name}=${value}"${value === shown ? html` aria-current="true"` : null}>${sentenceCase(words)}</a></li>`,
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
  optionLinks(path, 'window', shown, windowLabels);
