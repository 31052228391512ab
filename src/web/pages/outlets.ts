import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import { listPockets } from '../../operations/pocket/list-pockets.ts';
import { type Html, html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';

/** The page shows the registry only. It has a question so that it is rendered again when an outlet changes. */
export const outletsQuestion = composeOperations('outlets', {}, () => ({
  pockets: bindArguments(listPockets),
}));

/** Links to the page of each outlet, by kind and number: only an outlet's own page names it. */
export function outletsPage(site: Site): string {
  const { pockets, outlets } = site.registry;
  const active = outlets.filter((outlet) => outlet.active);
  const byPocket = Map.groupBy(active, ({ pocket_id }) => pocket_id);
  const here = pockets
    .filter(({ id }) => byPocket.has(id))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return renderPage(site, {
    title: 'outlets',
    about: 'the outlets that have a page of their own, by pocket.',
    path: '/outlets',
    body: html`
<h1>outlets</h1>
<p class="lead">each of these has a page of its own, and only that page names it.</p>
${here.map(
  ({ id, name }): Html => html`<h2 id="${id}"><a href="/pocket/${id}">${name}</a></h2>
<ul class="plain">${(byPocket.get(id) ?? [])
    .toSorted((a, b) => a.category.localeCompare(b.category, 'en') || a.id.localeCompare(b.id))
    .map(
      ({ id: outlet, category }, n) => html`<li><a href="/outlet/${outlet}">${n + 1}. ${category}</a></li>`,
    )}</ul>`,
)}`,
  });
}
