import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { listOutlets } from '../../operations/merchant/list-outlets.ts';
import { type Html, html } from '../parts/html.ts';
import { pocketName } from '../parts/links.ts';
import { renderPage, type Site } from '../parts/page.ts';

export const outletsQuestion = composeOperations('outlets', {}, () => ({
  directory: bindArguments(listOutlets, { limit: 500 }),
}));

/** The directory: what stands on the outlets' own pages, and nothing about how one is doing. */
export function outletsPage(site: Site, { directory }: AnswerOf<typeof outletsQuestion>): string {
  const pockets = [...Map.groupBy(directory.outlets, ({ pocket_id }) => pocket_id)]
    .map(([id, outlets]) => ({ id, name: pocketName(site, id), outlets }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return renderPage(site, {
    title: 'outlets',
    about: 'the outlets that have a page of their own, by pocket.',
    path: '/outlets',
    body: html`
<h1>outlets</h1>
<p class="lead">each of these has a page of its own. nothing here says how one is doing.</p>
${pockets.map(
  ({ id, name, outlets }): Html => html`<h2 id="${id}"><a href="/pocket/${id}">${name}</a></h2>
<ul class="plain">${outlets.map(
    (outlet) =>
      html`<li><a href="/outlet/${outlet.id}">${outlet.name}</a> <small>${outlet.category}, ${outlet.opens_at} to ${outlet.closes_at}</small></li>`,
  )}</ul>`,
)}
<p class="note"><a href="/api/outlets">for machines</a></p>`,
  });
}
