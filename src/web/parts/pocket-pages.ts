// A list of pockets on a page that is about more than them: a hundred at a time, with a search by name. A city of up to a
// hundred shows all, without a form.
import Type from 'typebox';
import { normalise } from '../../domain/city/name-index.ts';
import { count, plural } from './format.ts';
import { type Html, html } from './html.ts';
import type { Site } from './page.ts';

export const POCKETS_PER_PAGE = 100;

export const pocketPageInput = {
  q: Type.String({ maxLength: 80, default: '', description: 'part of the name of a pocket' }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'pockets to skip' }),
};

interface Asked {
  q: string;
  offset: number;
}

export interface PageOfPockets<Row> {
  rows: readonly Row[];
  /** How many match. */
  total: number;
}

/** The rows of pockets whose name, region or alias contains `q`, a hundred from `offset` on. */
export function pageOfPockets<Row>(
  { registry: { pockets } }: Pick<Site, 'registry'>,
  rows: readonly Row[],
  idOf: (row: Row) => string,
  { q, offset }: Asked,
): PageOfPockets<Row> {
  const part = normalise(q);
  const named = new Set(
    pockets
      .filter(({ name, region, aliases }) =>
        [name, region, ...aliases].some((label) => normalise(label).includes(part)),
      )
      .map(({ id }) => id),
  );
  const found = q.trim() === '' ? rows : rows.filter((row) => part !== '' && named.has(idOf(row)));
  return { rows: found.slice(offset, offset + POCKETS_PER_PAGE), total: found.length };
}

/**
 * The search form, what it found, and links to the hundred before and after. `kept` are the other parameters of the page;
 * `fragment` is the id of the list's heading.
 */
export function pocketPager(
  { registry: { pockets } }: Pick<Site, 'registry'>,
  path: string,
  fragment: string,
  { q, offset }: Asked,
  { rows, total }: PageOfPockets<unknown>,
  kept: Readonly<Record<string, string>> = {},
): Html | null {
  if (pockets.length <= POCKETS_PER_PAGE) return null;
  const to = (next: number, words: string) => {
    if (next < 0 || next >= total) return null;
    const query = new URLSearchParams({ ...kept, ...(q && { q }), ...(next && { offset: String(next) }) });
    return html`<li><a href="${path}?${query.toString()}#${fragment}">${words}</a></li>`;
  };
  return html`
<form class="find" role="search" action="${path}#${fragment}">${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label>Find a pocket <input type="search" name="q" maxlength="80" value="${q}" autocomplete="off"></label><button>Search</button></form>
<p role="status">${total === 0 ? `No pocket matches “${q}”.` : `${plural(total, 'pocket')}${rows.length < total ? `, ${count(offset + 1)} to ${count(offset + rows.length)} shown here` : ''}.`}</p>
<nav class="choices" aria-label="Pages of the list"><ul class="links">${offset > 0 ? to(Math.max(0, offset - POCKETS_PER_PAGE), 'Previous hundred') : null}${to(offset + POCKETS_PER_PAGE, 'Next hundred')}</ul></nav>`;
}
