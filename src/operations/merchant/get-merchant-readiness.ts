// Outlets are listed without name or id. A category that would identify one is widened or left out.

import Type, { type Static } from 'typebox';
import { categories } from '../../domain/city/city.ts';
import { outletsAt } from '../../domain/city/lists/find-entries.ts';
import { outletCounts, pocketOutlets } from '../../domain/city/pocket-outlets.ts';
import { type Readiness, readinessStates } from '../../domain/merchant/readiness.ts';
import {
  categoryFamilies,
  type ShownCategory,
  shownCategories,
} from '../../domain/merchant/shown-category.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { latestReadiness } from '../../store/merchant/readiness.ts';
import { nullable, timestamp, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { listWithin, restAddress } from '../core/text-list.ts';
import { outletCountFields } from './merchant-fields.ts';

const outletReadiness = Type.Object({
  category: nullable(
    Type.Enum([...categories, ...categoryFamilies], {
      description: 'widened, or null, until three or more outlets of the pocket share it',
    }),
  ),
  state: Type.Enum([...readinessStates]),
  reason: Type.String(),
  confidence: unitField('how much was observed'),
  signals: Type.Array(Type.String(), { description: 'what the state was read from' }),
});
type OutletReadiness = Static<typeof outletReadiness>;

export const getMerchantReadiness = defineOperation({
  name: 'get_merchant_readiness',
  title: 'What the outlets of a pocket are ready for',
  description:
    'Reads what each active outlet of a pocket is ready for now, without names. Use it to see whether merchants could take more people. Not for one known outlet (get_observed_outlet) or for what visitors are offered (get_available_experiences). Returns computed_at, outlet_count and rows [{outlet (a number in this answer), category, state, reason, confidence, signals}], renewed every 15 minutes.',
  toolsets: ['merchant'],
  input: {
    pocket_id: pocketId,
    limit: wholeNumber(1, 100, 25, 'maximum outlets to list'),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    computed_at: nullable(timestamp),
    ...outletCountFields,
    rows: Type.Array(
      Type.Object({
        outlet: Type.Integer({ minimum: 1, description: 'its place, in this answer only' }),
        ...outletReadiness.properties,
      }),
    ),
  }),
  list: 'rows',
  load: async ({ pocket_id }, { store, registry, now, zone }) => {
    const outlets = pocketOutlets(outletsAt(registry, pocket_id), pocket_id, now, zone);
    return { outlets, readiness: await latestReadiness(store, pocket_id, now) };
  },
  shape: ({ outlets, readiness }, { pocket_id, limit }) => {
    const shown = shownCategories(outlets.active.map(({ category }) => category));
    const categoryById = new Map(outlets.active.map(({ id, category }) => [id, shown.get(category) ?? null]));
    const rows = readiness
      // An outlet that has become inactive since is left out.
      .filter(({ outlet_id }) => categoryById.has(outlet_id))
      .map((row) => readinessRow(row, categoryById.get(row.outlet_id) ?? null))
      .sort(byShownFields)
      .slice(0, limit)
      .map((row, at) => ({ outlet: at + 1, ...row }));
    return {
      pocket_id,
      computed_at: rows.length && readiness[0] ? iso(readiness[0].slot) : null,
      ...outletCounts(outlets),
      rows,
    };
  },
  speak: ({ computed_at, outlet_count, open_now_count, rows }, { pocket_id }, zone) => {
    if (!computed_at) return `no outlet of ${printable(pocket_id)} is read at present.`;
    const lines = rows.map(
      ({ outlet, category, state, reason, confidence }) =>
        `outlet ${outlet}${category ? `, ${category.replaceAll('_', ' ')}` : ''}: ${state}, ${reason} confidence ${confidence}.`,
    );
    const counted = `active outlets: ${outlet_count}, ${open_now_count ?? 'fewer than five'} open now`;
    const address = restAddress('/api/merchant-readiness', { pocket: pocket_id, limit: 100 });
    return [
      `${pocket_id} at ${zone.clockWithZone(Date.parse(computed_at))}; ${counted}.`,
      ...listWithin(lines, address),
      ...(outlet_count > rows.length
        ? [`${rows.length} of ${outlet_count} are listed; all are at ${address}`]
        : []),
    ].join('\n');
  },
  rest: { path: '/api/merchant-readiness', names: { pocket_id: 'pocket' } },
});

const readinessRow = (
  { state, reason, confidence, signals }: Readiness,
  category: ShownCategory,
): OutletReadiness => ({ category, state, reason, confidence, signals });

/** Sorts by published fields only: an order by id or name would reveal which outlet is which. */
const byShownFields = (a: OutletReadiness, b: OutletReadiness): number =>
  readinessStates.indexOf(a.state) - readinessStates.indexOf(b.state) ||
  inOrder(a.category ?? '', b.category ?? '') ||
  b.confidence - a.confidence ||
  inOrder(a.reason, b.reason) ||
  a.signals.length - b.signals.length;

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
