import Type from 'typebox';
import type { Outlet } from '../../domain/city/city.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { inSgd } from '../../domain/merchant/money.ts';
import {
  inferredTotals,
  sustainabilityText,
  sustainabilityTotals,
} from '../../domain/merchant/sustainability-totals.ts';
import { SMALLEST_COUNT } from '../../domain/stats/small-count-suppression.ts';
import { printable } from '../../domain/text/printable.ts';
import { DAY } from '../../domain/time/slot.ts';
import { newestComparison } from '../../store/decision/silence-comparisons.ts';
import { sustainabilitySums } from '../../store/merchant/sustainability.ts';
import { currency, netAmount, netSgd, nullable, unavailable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { silenceComparison, silenceComparisonFields } from '../core/silence-comparison.ts';
import { attentionSaved, inferredFields, merchantTotals } from './merchant-fields.ts';

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
    window_days: wholeNumber(1, 365, 30, 'days to look back'),
  },
  output: Type.Union([
    Type.Object({
      ...asked,
      ...merchantTotals,
      attention_saved_count: attentionSaved,
      dollar_value_sgd: netSgd,
      amount: netAmount,
      currency,
      inferred: inferredFields,
      compared_with_silence: nullable(silenceComparison),
    }),
    Type.Object({ ...asked, available: unavailable }),
  ]),
  notFoundText: 'extended',
  load: async ({ pocket_id, window_days }, { store, registry, now }) => ({
    sums: await sustainabilitySums(store, {
      pocket: pocket_id,
      after: now - window_days * DAY,
      until: now,
    }),
    currency: registry.city.currency,
    // Of a few outlets nothing is told, however many moments are compared.
    compared: isTold(outletsAt(registry, pocket_id))
      ? silenceComparisonFields('use', await newestComparison(store, 'use', pocket_id, now))
      : null,
  }),
  shape: ({ sums, currency, compared }, { pocket_id, window_days }) => {
    const asked = { pocket_id, window: `${window_days}d` };
    if (!sums.length) return { ...asked, available: false as const };
    const totals = sustainabilityTotals(sums);
    const dollar_value_sgd = inSgd(currency, totals.amount);
    const inferred = [...inferredTotals, 'dollar_value_sgd'];
    return { ...asked, ...totals, dollar_value_sgd, currency, inferred, compared_with_silence: compared };
  },
  speak: (answer, { pocket_id, window_days }) =>
    'available' in answer
      ? `no sustainability data for ${printable(pocket_id)} over the last ${window_days}d.`
      : [
          `${pocket_id} over the last ${window_days}d: ${sustainabilityText(answer, answer.currency)}`,
          ...(answer.compared_with_silence ? [answer.compared_with_silence.text] : []),
        ].join(' '),
  rest: { path: '/api/pocket-sustainability', names: { pocket_id: 'pocket' } },
});

const isTold = (outlets: readonly Outlet[]): boolean =>
  outlets.filter(({ active }) => active).length >= SMALLEST_COUNT;
