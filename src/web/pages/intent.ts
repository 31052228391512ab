import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../operations/core/define.ts';
import { pocketId } from '../../operations/core/fields.ts';
import { getIntentSubstrate, intentSlug } from '../../operations/merchant/get-intent-substrate.ts';
import { percent, scalar } from '../parts/format.ts';
import { html } from '../parts/html.ts';
import { pocketName } from '../parts/links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts } from '../parts/table.ts';

export const intentQuestion = composeOperations(
  'page_intent',
  { pocket_id: pocketId, slug: intentSlug },
  ({ pocket_id, slug }) => ({ substrate: bindArguments(getIntentSubstrate, { pocket_id, slug }) }),
);

type Answers = AnswerOf<typeof intentQuestion>;

export function intentPage(site: Site, { asked, substrate }: Answers): string {
  const { pocket_id, slug } = asked;
  const intents = site.registry.intents.filter(({ public_page }) => public_page);
  const intent = intents.find((one) => one.slug === slug);
  if (!intent || 'available' in substrate) throw new NotFound('no such intent has a page');
  const title = intent.title.toLowerCase();
  const name = pocketName(site, pocket_id);
  const {
    outlet_count,
    open_now_count,
    match_ratio,
    matched_outlets,
    current_moment_alignment: alignment,
  } = substrate;
  return renderPage(site, {
    title: `${title} in ${name}`,
    about: `how far ${name} serves an intent: ${intent.description}`,
    path: `/pocket/${pocket_id}/intent/${slug}`,
    body: html`
<p class="crumb"><a href="/">the network</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${title}, in ${name}</h1>
<p class="lead">${substrate.intent_description}</p>
<section class="card" aria-label="how far it serves">
<p class="words">${substrate.narrative_line}</p>
${facts([
  ['suits the moment', scalar(alignment), alignment === null ? 'no moment is composable now' : 'of 1'],
  ['outlets here', String(outlet_count), `${open_now_count ?? 'fewer than five'} open now`],
  [
    'outlets that serve it',
    match_ratio === null ? 'not shown' : percent(match_ratio),
    match_ratio === null ? 'fewer than five outlets here' : 'each as far as its kind does; 0 while closed',
  ],
  ['confidence', substrate.confidence],
])}
</section>
<h2 id="kinds">what is there for it</h2>
${
  matched_outlets.length
    ? bars(
        'kinds of outlets that serve the intent',
        matched_outlets.map((kind) => ({
          label: html`${kind.name} <small>${kind.reasons.join('; ')}</small>`,
          share: kind.alignment,
          value: scalar(kind.alignment),
        })),
      )
    : html`<p>${match_ratio === null ? 'with fewer than five outlets, nothing but their number is shown.' : 'no outlet that serves it is open now.'}</p>`
}
<h2 id="why">why</h2>
<ul class="outlook">${substrate.reasoning.map((line) => html`<li>${line}</li>`)}</ul>
<h2 id="others">other intents here</h2>
<ul class="links">${intents.map(
      (other) =>
        html`<li><a href="/pocket/${pocket_id}/intent/${other.slug}"${other.slug === slug ? html` aria-current="page"` : null}>${other.title.toLowerCase()}</a></li>`,
    )}</ul>
<p class="note"><a href="/api/intent?pocket=${pocket_id}&amp;slug=${slug}">for machines</a></p>`,
  });
}
