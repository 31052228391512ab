import Type from 'typebox';
import { inSgd } from '../../domain/merchant/money.ts';
import { sustainabilityText, sustainabilityTotals } from '../../domain/merchant/sustainability-totals.ts';
import { printable } from '../../domain/text/printable.ts';
import { DAY } from '../../domain/time/slot.ts';
import { sustainabilitySums } from '../../store/merchant/sustainability.ts';
import { amount, currency, sgd, unavailable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { attentionSaved, merchantTotals } from './merchant-fields.ts';

const asked = {
  pocket_id: Type.String(),
  window: Type.String({ pattern: '^\\d+d$', description: 'the days looked back over, such as 30d' }),
};

export const getPocketSustainability = defineOperation({
  name: 'get_pocket_sustainability',
  title: 'What was kept from being wasted in a pocket',
  description:
    'Adds up what was kept from being wasted in a pocket over the last days. Use it to tell merchants what restraint and quiet-hour visits came to. Not for whether speaking did good (get_pocket_equilibrium). Returns window, waste_avoided_units, idle_reclaimed_hours, purposeful_trips, attention_saved_count, amount in currency and dollar_value_sgd (null unless that is SGD), or available false where there are no events.',
  toolsets: ['merchant'],
  input: {
    pocket_id: pocketId,
    window_days: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'days to look back' }),
  },
  output: Type.Union([
    Type.Object({
      ...asked,
      ...merchantTotals,
      attention_saved_count: attentionSaved,
      dollar_value_sgd: sgd,
      amount,
      currency,
    }),
    Type.Object({ ...asked, available: unavailable }),
  ]),
  effect: 'read',
  notFoundText: 'fixed',
  load: async ({ pocket_id, window_days }, { store, registry, now }) => ({
    sums: await sustainabilitySums(store, {
      pocket: pocket_id,
      after: now - window_days * DAY,
      until: now,
    }),
    currency: registry.city.currency,
  }),
  shape: ({ sums, currency }, { pocket_id, window_days }) => {
    const asked = { pocket_id, window: `${window_days}d` };
    if (!sums.length) return { ...asked, available: false as const };
    const totals = sustainabilityTotals(sums);
    return { ...asked, ...totals, dollar_value_sgd: inSgd(currency, totals.amount), currency };
  },
  speak: (answer, { pocket_id, window_days }) =>
    'available' in answer
      ? `no sustainability data for ${printable(pocket_id)} over the last ${window_days}d.`
      : `${pocket_id} over the last ${window_days}d: ${sustainabilityText(answer, answer.currency)}`,
  rest: { path: '/api/pocket-sustainability', names: { pocket_id: 'pocket' } },
});
