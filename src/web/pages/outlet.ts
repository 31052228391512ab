import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import { getObservedPatterns } from '../../operations/merchant/get-observed-patterns.ts';
import { outletId } from '../../operations/merchant/outlet.ts';
import { spacedName } from '../parts/format.ts';
import { html } from '../parts/html.ts';
import { pocketLink } from '../parts/links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { facts } from '../parts/table.ts';

export const outletQuestion = composeOperations('page_outlet', { outlet_id: outletId }, ({ outlet_id }) => ({
  profile: bindArguments(getObservedPatterns, { outlet_id }),
}));

type Answers = AnswerOf<typeof outletQuestion>;

export function outletPage(site: Site, { profile }: Answers): string {
  const { outlet, patterns, decision_support } = profile;
  return renderPage(site, {
    title: outlet.name,
    about: `${outlet.name}: what recurs in its own history of the last 28 days.`,
    path: `/outlet/${outlet.id}`,
    body: html`
<p class="crumb"><a href="/outlets">outlets</a> / ${pocketLink(site, outlet.pocket_id)}</p>
<h1>${outlet.name}</h1>
<p class="lead">${outlet.category} in ${pocketLink(site, outlet.pocket_id)}, ${outlet.unit}.</p>
${facts([
  ['opens', `${outlet.opens_at} ${site.zone.generalName}`],
  ['closes', `${outlet.closes_at} ${site.zone.generalName}`],
])}
<h2 id="patterns">what recurs here</h2>
${
  patterns.length
    ? html`<ul class="plain entries">${patterns.map(
        ({ kind, text, confidence, basis }) =>
          html`<li><b>${spacedName(kind)}</b> ${text} <small>confidence ${confidence}: ${basis}.</small></li>`,
      )}</ul>`
    : html`<p>too little of its history is known for a pattern.</p>`
}
<h2 id="pocket">the pocket around it</h2>
${
  decision_support.length
    ? html`<ul class="outlook">${decision_support.map((line) => html`<li>${line}</li>`)}</ul>`
    : html`<p>too little is known of the pocket as a whole: nothing from fewer than five is shown.</p>`
}
<p class="note"><a href="/api/observed-patterns?id=${outlet.id}">for machines</a></p>`,
  });
}
