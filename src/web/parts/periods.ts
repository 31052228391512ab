import { type Html, html } from './html.ts';

/** Links to the same report of other weeks or months. */
export const otherPeriods = (
  title: string,
  path: string,
  shown: string | undefined,
  periods: readonly string[],
): Html | null =>
  periods.length > 1
    ? html`<h2 id="others">${title}</h2><ul class="links">${periods.map(
        (period) =>
          html`<li><a href="${path}/${period}"${period === shown ? html` aria-current="true"` : null}>${period}</a></li>`,
      )}</ul>`
    : null;
