// The page of one intent (a wish such as 'somewhere quiet') in one pocket: how well it suits now, and why.

import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound } from '../../operations/core/define.ts';
import { pocketId } from '../../operations/core/fields.ts';
import { getIntentSubstrate, intentSlug } from '../../operations/merchant/get-intent-substrate.ts';
import { scalar, wholePercent } from '../parts/format.ts';
import { html } from '../parts/html.ts';
import { pocketName } from '../parts/links.ts';
import { renderPage, type Site } from '../parts/page.ts';
import { bars, facts } from '../parts/table.ts';
import { term } from '../parts/terms.ts';

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
  const { title } = intent;
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
    about: `How well ${name} suits this now: ${intent.description}`,
    path: `/pocket/${pocket_id}/intent/${slug}`,
    live: true,
    body: html`
<p class="crumb"><a href="/">All pockets</a> / <a href="/pocket/${pocket_id}">${name}</a></p>
<h1>${title}: ${name}</h1>
<p class="lead" data-now>How well does ${name} suit this right now?</p>
<div data-now>
<section class="card" aria-label="How well it suits now">
<blockquote>${substrate.narrative_line}</blockquote>
${facts([
  [
    'Fit with the present',
    alignment === null ? 'Not known' : `${scalar(alignment)} of 1`,
    alignment === null
      ? 'not enough recent data'
      : 'how the place feels, the rain and the hour, limited by what it cannot do without',
  ],
  [
    'Outlets here',
    String(outlet_count),
    open_now_count === null ? 'fewer than five open now' : `${open_now_count} open now`,
  ],
  [
    'Outlets that suit it',
    match_ratio === null ? 'Not shown' : wholePercent(match_ratio),
    match_ratio === null
      ? 'fewer than five outlets here'
      : 'each counts as far as its kind suits, and not at all while closed',
  ],
  ['Confidence', sentenceCase(substrate.confidence)],
])}
<p class="note">What is meant by this ${term('intent')}: <span class="voice">${substrate.intent_description}</span></p>
</section>
<h2 id="kinds">Open now and suited to it</h2>
${
  matched_outlets.length
    ? bars(
        'Kinds of outlets that are open and suit it',
        matched_outlets.map((kind) => ({
          label: html`${sentenceCase(kind.name)} <small>${kind.reasons.join('; ')}</small>`,
          share: kind.alignment,
          value: `${scalar(kind.alignment)} of 1`,
        })),
      )
    : html`<p>${match_ratio === null ? 'With fewer than five outlets, only their number is shown.' : 'No outlet that suits it is open now.'}</p>`
}
</div>
<p><a href="/outlets?pocket=${pocket_id}">Outlets in ${name}</a></p>
<div data-now><h2 id="why">Why</h2>
<ul class="outlook voice">${substrate.reasoning.map((line) => html`<li>${line}</li>`)}</ul></div>
<h2 id="others">Other wishes here</h2>
<ul class="links">${intents.map(
      (other) =>
        html`<li><a href="/pocket/${pocket_id}/intent/${other.slug}"${other.slug === slug ? html` aria-current="page"` : null}>${other.title}</a></li>`,
    )}</ul>
<p class="note"><a href="/api/intent?pocket=${pocket_id}&amp;slug=${slug}">JSON</a></p>`,
  });
}
