// The directory of outlets, with a search. It works without a script: the form asks the same address.
import Type from 'typebox';
import { categories } from '../../../domain/city/city.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import { pocketId, wholeNumber } from '../../../operations/core/fields.ts';
import { listOutlets } from '../../../operations/merchant/list-outlets.ts';
import { count, plural } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { pocketLink, pocketName } from '../../parts/links.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { term } from '../../parts/terms.ts';

const PER_PAGE = 100;

export const outletsQuestion = composeOperations(
  'outlets',
  {
    q: Type.Optional(
      Type.String({ maxLength: 80, description: 'part of a name; a misspelt name is found too' }),
    ),
    pocket: Type.Optional(pocketId),
    category: Type.Optional(Type.Enum([...categories], { description: 'only outlets of this category' })),
    page: wholeNumber(1, 10_000, 1, 'a page has a hundred outlets'),
  },
  ({ q, pocket, category, page }) => ({
    directory: bindArguments(listOutlets, {
      ...(q !== undefined && { q }),
      ...(pocket !== undefined && { pocket_id: pocket }),
      ...(category !== undefined && { category }),
      limit: PER_PAGE,
      offset: (page - 1) * PER_PAGE,
    }),
  }),
);

type Answers = AnswerOf<typeof outletsQuestion>;
type Asked = Answers['asked'];
type Listed = Answers['directory']['outlets'][number];

/** What stands on the outlets' own pages, and nothing about how one is doing. */
export function outletsPage(site: Site, { directory, asked }: Answers): string {
  const { outlets } = directory;
  return renderPage(site, {
    title: 'Outlets',
    about:
      'Find an outlet by its name, pocket or category: its opening hours, its week and its quiet windows.',
    path: '/outlets',
    body: html`
<h1>Outlets</h1>
<p class="lead">Find a shop, cafe or stall. Its page shows when it is open, how its week runs and when it is quiet.</p>
${searchForm(site, asked)}
<p role="status">${resultLine(directory, asked)}</p>
${
  // A search is answered in the order of the matches; the whole directory goes by pocket.
  asked.q === undefined
    ? [...Map.groupBy(outlets, ({ pocket_id }) => pocket_id)].map(
        ([id, own]): Html => html`<h2 id="${id}"><a href="/pocket/${id}">${pocketName(site, id)}</a></h2>
${outletList(site, own, false)}`,
      )
    : outletList(site, outlets, true)
}
${pageLinks(directory.count, asked)}
<p class="note">This list says nothing about how an ${term('outlet')} is doing. <a href="/api/outlets">JSON</a></p>`,
  });
}

const option = (value: string, words: string, chosen: string | undefined): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`;

/** In a city of more pockets the choice would be longer than the page: there it offers the one that was asked for. */
const MOST_POCKETS = 200;

const pocketOptions = ({ registry: { pockets } }: Site, chosen: string | undefined): Html[] =>
  (pockets.length <= MOST_POCKETS ? pockets : pockets.filter(({ id }) => id === chosen))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(({ id, name }) => option(id, name, chosen));

const searchForm = (site: Site, { q, pocket, category }: Asked): Html => html`
<form class="find" role="search" action="/outlets">
<label>Name <input type="search" name="q" maxlength="80" value="${q ?? ''}" autocomplete="off"></label>
<label>Pocket <select name="pocket">${option('', 'All pockets', pocket ?? '')}${pocketOptions(site, pocket)}</select></label>
<label>Category <select name="category">${option('', 'All categories', category ?? '')}${categories.map((name) => option(name, sentenceCase(name), category))}</select></label>
<button>Search</button>
</form>`;

function resultLine({ count: found, name_match, outlets }: Answers['directory'], { q, page }: Asked): Html {
  if (!found) return html`No outlet matches. Try a shorter part of the name, or all pockets and categories.`;
  if (!outlets.length) return html`This page is past the end of the list.`;
  const from = (page - 1) * PER_PAGE + 1;
  const shown =
    found > PER_PAGE ? html`, ${count(from)} to ${count(from + outlets.length - 1)} shown here` : null;
  return name_match === 'similar'
    ? html`No name contains “${q ?? ''}”. ${plural(found, 'outlet has', 'outlets have')} a similar name${shown}.`
    : html`${plural(found, 'outlet')}${shown}.`;
}

const outletList = (site: Site, outlets: readonly Listed[], withPocket: boolean): Html =>
  html`<ul class="plain entries outlets">${outlets.map(
    ({ id, name, category, pocket_id, opens_at, closes_at }) =>
      html`<li><a href="/outlet/${id}">${name}</a> <small>${sentenceCase(category)}${withPocket ? html` in ${pocketLink(site, pocket_id)}` : null}, open ${opens_at} to ${closes_at} ${site.zone.generalName}</small></li>\n`,
  )}</ul>`;

function pageLinks(found: number, { q, pocket, category, page }: Asked): Html | null {
  const last = Math.max(1, Math.ceil(found / PER_PAGE));
  if (last === 1) return null;
  const to = (target: number): string =>
    `/outlets?${new URLSearchParams({
      ...(q !== undefined && { q }),
      ...(pocket !== undefined && { pocket }),
      ...(category !== undefined && { category }),
      page: String(target),
    })}`;
  return html`<nav aria-label="Pages of the list"><ul class="links">
${page > 1 ? html`<li><a rel="prev" href="${to(Math.min(page - 1, last))}">Previous 100</a></li>` : null}
${page < last ? html`<li><a rel="next" href="${to(page + 1)}">Next 100</a></li>` : null}
</ul></nav>`;
}
