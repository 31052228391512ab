import { dealOf } from '../../domain/merchant/deal.ts';
import { printable } from '../../domain/text/printable.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { currentActivity } from '../../store/observation/outlet-activity.ts';
import { defineUntypedOperation, NotFound } from '../core/define.ts';
import { activeOutlet, outletId } from './outlet.ts';

export const getDealProposal = defineUntypedOperation({
  name: 'get_deal_proposal',
  title: 'A price that serves both sides',
  description:
    'Proposes what a visit to one outlet could cost while its room stands empty. Use it to see whether an offer would be fair to merchant and visitor now. Returns pocket_id, tier, reason and proposal: null at the atmosphere tier (closed, full, or a moment that asks for silence) and where too little was observed in the last half hour, else {tier, headline, math {regular_price_sgd, proposed_price_sgd, saving_sgd}, merchant_reason, consumer_reason, mutual_benefit}. The saving is bounded by margin and idle room. The outlet is not named, and nobody is notified.',
  input: { outlet_id: outletId },
  effect: 'read',
  // The window may end within the quarter hour.
  keep: false,
  tool: false,
  load: async ({ outlet_id }, { store, registry, now }) => {
    const outlet = activeOutlet(registry, outlet_id);
    if (!outlet) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
    const { pocket_id } = outlet;
    const name = registry.pockets.find(({ id }) => id === pocket_id)?.name ?? pocket_id;
    const [record, activity] = await Promise.all([
      currentMoment(store, pocket_id, now),
      currentActivity(store, outlet_id, now),
    ]);
    return { name, now, outlet, record, activity };
  },
  shape: ({ name, now, outlet, record, activity }) => {
    const { pocket_id } = outlet;
    if (!record) {
      const reason = `no moment composable for ${pocket_id} — substrate may be thin`;
      return { pocket_id, tier: null, reason, proposal: null };
    }
    return { pocket_id, ...dealOf({ name, now, moment: record.moment, outlet, activity }) };
  },
  speak: ({ proposal, reason }) => (proposal ? proposal.headline : `no proposal: ${reason}.`),
  rest: { path: '/api/deal-proposal', names: { outlet_id: 'outlet' } },
});
