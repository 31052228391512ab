import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { proposeDeal } from '../../domain/merchant/deal.ts';
import { printable } from '../../domain/text/printable.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { amount, currency, nullable, sgd } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { tier } from '../decision/decision-fields.ts';
import { activeOutlet, outletId } from './outlet.ts';
import { PROFILE_ROWS, usualUse } from './outlet-profile.ts';

export const proposal = Type.Object({
  tier: Type.Literal('experience'),
  headline: Type.String(),
  math: Type.Object({
    regular_price_sgd: sgd,
    proposed_price_sgd: sgd,
    saving_sgd: sgd,
    currency,
    regular_price: amount,
    proposed_price: amount,
    saving: amount,
  }),
  merchant_reason: Type.String(),
  consumer_reason: Type.String(),
  mutual_benefit: Type.String(),
});

export const getDealProposal = defineOperation({
  name: 'get_deal_proposal',
  title: 'A price that serves both sides',
  description:
    'Proposes what a visit to one outlet could cost at an hour when it usually has room to spare. Use it to see whether an offer would be fair to merchant and visitor now. Returns pocket_id, tier, reason and proposal: null at the atmosphere tier (closed, usually full at this hour, or a moment that asks for silence) and where too little was observed of the pocket in the last half hour, else {tier, headline, math {regular_price_sgd, proposed_price_sgd, saving_sgd (null unless the currency is SGD), currency, regular_price, proposed_price, saving}, merchant_reason, consumer_reason, mutual_benefit}. The saving is bounded by margin and the room that is usually idle: the present count of one outlet is never revealed. The outlet is not named, and nobody is notified.',
  input: { outlet_id: outletId },
  output: Type.Object({
    pocket_id: Type.String(),
    tier: nullable(tier),
    reason: Type.String(),
    proposal: nullable(proposal),
  }),
  // The window can end between two slots, and a cached answer would outlive it.
  cache: false,
  rows: () => PROFILE_ROWS,
  load: async ({ outlet_id }, { store, registry, now, zone }) => {
    const outlet = activeOutlet(registry, outlet_id);
    if (!outlet) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
    const { pocket_id } = outlet;
    const name = findPocket(registry, pocket_id)?.name ?? pocket_id;
    const [record, activity] = await Promise.all([
      currentMoment(store, pocket_id, now),
      usualUse({ store, now, zone }, outlet),
    ]);
    return { name, now, outlet, record, activity, currency: registry.city.currency };
  },
  shape: ({ name, now, outlet, record, activity, currency }, _input, zone) => {
    const { pocket_id } = outlet;
    if (!record) {
      const reason = `not enough recent data for ${pocket_id}`;
      return { pocket_id, tier: null, reason, proposal: null };
    }
    return {
      pocket_id,
      ...proposeDeal({ zone, name, now, moment: record.moment, outlet, activity, currency }),
    };
  },
  speak: ({ proposal, reason }) => (proposal ? proposal.headline : `no proposal: ${reason}.`),
  rest: { path: '/api/deal-proposal', names: { outlet_id: 'outlet' } },
});
