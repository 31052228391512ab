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
