// What is proposed for an outlet now, or else an example for a coming quiet hour, marked as one.
import type { AnswerOf } from '../../../operations/core/define.ts';
import type { getDealProposal } from '../../../operations/merchant/get-deal-proposal.ts';
import type { getOutletWeek } from '../../../operations/merchant/get-outlet-week.ts';
import { ofN, wholePercent } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import type { Site } from '../../parts/page.ts';
import { facts } from '../../parts/table.ts';
import { term } from '../../parts/terms.ts';
import { dateTime } from '../../parts/times.ts';

type Deal = AnswerOf<typeof getDealProposal>;
type Week = AnswerOf<typeof getOutletWeek>;

export function proposalPart(
  site: Pick<Site, 'zone'>,
  { tier, proposal, reason }: Deal,
  week: Pick<Week, 'example' | 'hours'>,
): Html {
  const meant = html`<p class="note">A ${term('deal proposal')} is a price for a visit while there is room to spare. It is made only while the outlet is open and has room. The margin limits the saving, and nobody is notified.</p>`;
  if (proposal)
    return html`<p>Proposed now:</p>${dealPart(proposal)}
${meant}`;
  return html`<p>Nothing is proposed now: ${tier === null ? 'there is not enough recent data about the pocket' : reason}.</p>
${week.example ? examplePart(site, week.example) : html`<p>No example can be given: ${week.hours.some(({ use }) => use !== null) ? 'its usual use leaves no room for a proposal' : 'its usual use is not known yet'}.</p>`}
${meant}`;
}

type Example = NonNullable<Week['example']>;

const examplePart = ({ zone }: Pick<Site, 'zone'>, { at, basis, use, n, proposal }: Example): Html => html`
<section class="card example" aria-labelledby="example"><h3 id="example">Example, not a proposal</h3>
<p>${basis === 'quiet_window' ? 'In its next quiet window' : 'In the quietest hour of its next day'}, from ${dateTime(at, zone)}, when ${wholePercent(use)} of its room is usually in use (${ofN(n)} ${n === 1 ? 'quarter hour' : 'quarter hours'}):</p>
${dealPart(proposal)}
<p class="note">Computed by the rules of a real proposal, for easy movement (friction 0), which gives the smallest saving, and a pocket about which something may be said.</p>
</section>`;

function dealPart(proposal: Example['proposal'] & { consumer_reason?: string }): Html {
  const { currency, regular_price, proposed_price, saving } = proposal.math;
  const amount = (value: number): string => `${value.toFixed(2)} ${currency}`;
  const reasons = [proposal.merchant_reason, proposal.consumer_reason, proposal.mutual_benefit];
  return html`<blockquote>${proposal.headline}</blockquote>
${facts([
  ['Usual price', amount(regular_price)],
  ['Proposed price', amount(proposed_price)],
  ['Saving', amount(saving)],
])}
<ul class="outlook voice">${reasons.flatMap((line) => (line ? [html`<li>${line}</li>`] : []))}</ul>`;
}
