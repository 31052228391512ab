import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { moneyText, savedText } from '../../domain/merchant/money.ts';
import { basisOf } from '../../domain/merchant/sustainability.ts';
import {
  inferredTotals,
  type KindSum,
  sustainabilityText,
  sustainabilityTotals,
} from '../../domain/merchant/sustainability-totals.ts';
import { poolComparisons } from '../../domain/stats/matched-comparison.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { namedWindow } from '../../domain/time/window.ts';
import { newestComparisons } from '../../store/decision/silence-comparisons.ts';
import { type SustainabilityFilter, sustainabilitySums } from '../../store/merchant/sustainability.ts';
import { exportSustainability } from '../../store/report/exports.ts';
import { currency, netAmount, nullable } from '../core/answer-fields.ts';
import { defineOperation, NotFound, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { silenceComparison, silenceComparisonFields } from '../core/silence-comparison.ts';
import { createTable } from '../core/table.ts';
import { attentionSaved, inferredFields, merchantTotals } from './merchant-fields.ts';
import { activeOutlet } from './outlet.ts';

const windows = ['7d', '30d', '90d', 'all'] as const;
type WindowName = (typeof windows)[number];

const totals = { dollar_value_recovered: netAmount, ...merchantTotals };

export const getSustainability = defineOperation({
  name: 'get_sustainability',
  title: 'What was kept from being wasted',
  description:
    "Adds up the sustainability ledger, for all pockets, one pocket or one merchant. Use it to see where value was kept from being wasted. Returns {window, currency, totals {dollar_value_recovered (in that currency), waste_avoided_units, idle_reclaimed_hours, purposeful_trips}, per_pocket [{pocket_id, the same, attention_saved_count}], most money first}; each is the plain sum of the events. A merchant's figures leave out what belongs to no merchant: attention. With format=narrative the body has a narrative as well.",
  input: {
    pocket_id: Type.Optional(pocketId),
    merchant: Type.Optional(Type.String({ maxLength: 64, description: 'UUID of an active outlet' })),
    window: Type.Enum([...windows], { default: '30d', description: 'how far back' }),
    format: Type.Optional(
      Type.Enum(['narrative', 'csv'], {
        description: 'narrative: the figures in words as well; csv: the events themselves',
      }),
    ),
  },
  output: Type.Object({
    window: Type.Enum([...windows]),
    currency,
    totals: Type.Object(totals),
    per_pocket: Type.Array(
      Type.Object({ pocket_id: Type.String(), ...totals, attention_saved_count: attentionSaved }),
    ),
    inferred: inferredFields,
    compared_with_silence: nullable(silenceComparison),
    narrative: Type.Optional(
      Type.String({ description: 'the figures in words, only with format=narrative' }),
    ),
  }),
  list: 'per_pocket',
  load: async (question, context) => ({
    sums: await sustainabilitySums(context.store, sustainabilityFilter(question, context)),
    currency: context.registry.city.currency,
    // Of the whole network: get_pocket_sustainability tells that of one pocket, and of one merchant nothing is told.
    compared:
      question.pocket_id === undefined && question.merchant === undefined
        ? poolComparisons(await newestComparisons(context.store, 'use', context.now))
        : null,
  }),
  shape: ({ sums, currency, compared }, { window, format }) => ({
    window,
    currency,
    totals: recoveredTotals(sums),
    per_pocket: [...Map.groupBy(sums, ({ pocket_id }) => pocket_id)]
      .map(([pocket_id, own]) => ({
        pocket_id,
        ...recoveredTotals(own),
        attention_saved_count: sustainabilityTotals(own).attention_saved_count,
      }))
      .sort(
        (a, b) => b.dollar_value_recovered - a.dollar_value_recovered || (a.pocket_id < b.pocket_id ? -1 : 1),
      ),
    inferred: inferredTotals.map((field) => (field === 'amount' ? 'dollar_value_recovered' : field)),
    compared_with_silence: compared && silenceComparisonFields('use', compared),
    ...(format === 'narrative' && { narrative: savingsNarrative(sums, currency, window) }),
  }),
  speak: ({ window, currency, totals, per_pocket, compared_with_silence }) => {
    const [most] = per_pocket;
    if (!most) return `no sustainability data ${over(window)}.`;
    const inMost =
      most.dollar_value_recovered > 0
        ? `, most in ${most.pocket_id} (${moneyText(most.dollar_value_recovered, currency)})`
        : '';
    const saved = `${savedText(totals.dollar_value_recovered, currency)} ${over(window)}, as inferred${inMost}.`;
    return compared_with_silence ? `${saved} ${compared_with_silence.text}` : saved;
  },
  table: (question, context) =>
    createTable(
      'sustainability',
      exportSustainability(context.store, sustainabilityFilter(question, context)),
      {
        timestamp: ({ slot }) => iso(slot),
        pocket_id: ({ pocket_id }) => pocket_id,
        kind: ({ kind }) => kind,
        value: ({ magnitude }) => magnitude,
        dollar_value: ({ value_cents }) => value_cents / 100,
        currency: () => context.registry.city.currency,
        basis: ({ kind }) => basisOf[kind],
      },
    ),
  rest: { path: '/api/sustainability', names: { pocket_id: 'pocket' } },
});

interface Question {
  pocket_id?: string | undefined;
  merchant?: string | undefined;
  window: WindowName;
}

function sustainabilityFilter(
  { pocket_id, merchant, window }: Question,
  { registry, now }: OperationContext,
): SustainabilityFilter {
  if (pocket_id !== undefined && !findPocket(registry, pocket_id))
    throw new NotFound(`unknown pocket: ${printable(pocket_id)}`);
  const outlet = merchant === undefined ? undefined : activeOutlet(registry, merchant);
  const isKnown = outlet && (pocket_id === undefined || outlet.pocket_id === pocket_id);
  if (merchant !== undefined && !isKnown) throw new NotFound(`unknown outlet: ${printable(merchant)}`);
  return { ...namedWindow(window, now), pocket: pocket_id, outlet: merchant };
}

function recoveredTotals(sums: readonly KindSum[]) {
  const { amount, waste_avoided_units, idle_reclaimed_hours, purposeful_trips } = sustainabilityTotals(sums);
  return {
    dollar_value_recovered: amount,
    waste_avoided_units,
    idle_reclaimed_hours,
    purposeful_trips,
  };
}

const over = (window: string): string => (window === 'all' ? 'so far' : `over the last ${window}`);

const savingsNarrative = (sums: readonly KindSum[], currency: string, window: string): string =>
  sums.length
    ? `${over(window)}: ${sustainabilityText(sustainabilityTotals(sums), currency)}`
    : `no sustainability data ${over(window)}.`;
