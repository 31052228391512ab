// Schemas that several answers about outlets and merchants share.
import Type from 'typebox';
import { categories } from '../../domain/city/city.ts';
import { confidences } from '../../domain/merchant/confidence.ts';
import { savingBases } from '../../domain/merchant/sustainability.ts';
import { clockTime, countField, nullable } from '../core/answer-fields.ts';

export const confidence = Type.Enum([...confidences], { description: 'how much evidence it rests on' });

export const category = Type.Enum([...categories]);

export const openingWeekday = Type.Integer({
  minimum: 0,
  maximum: 6,
  description: 'the day on which it opened; 0 is Monday',
});

/** Public fields of an outlet: what stands on its own page and in the directory. */
export const outlet = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ description: "the operator's words" }),
  pocket_id: Type.String(),
  unit: Type.String({ description: "the operator's words" }),
  opens_at: clockTime,
  closes_at: Type.String({
    pattern: '^\\d{2}:\\d{2}$',
    description: 'earlier than opens_at for an outlet that closes after midnight',
  }),
  category,
});

/** How many outlets a pocket has; `pocketOutlets` counts them for every answer. */
export const outletCountFields = {
  outlet_count: countField('active outlets'),
  open_now_count: nullable(countField('those that are open now; null where it is below five')),
};

/** Sums of the sustainability ledger that belong to merchants: net, so below 0 where losses are larger than gains. */
export const merchantTotals = {
  waste_avoided_units: Type.Number({ description: 'portions, net; inferred from the use of places' }),
  idle_reclaimed_hours: Type.Number({
    description: 'hours of places in use that usually stand idle, less those idle that are usually in use',
  }),
  purposeful_trips: Type.Number({
    description: 'visits beyond the usual, net; inferred from the use of places',
  }),
};

export const attentionSaved = Type.Number({
  minimum: 0,
  description: 'silences found right; that they spared attention is inferred',
});

/** What a figure of one event rests on. */
export const savingBasis = Type.Enum([...savingBases], {
  description: 'observed: counted and compared with the usual; inferred: worked out from that',
});

/** The names of the fields that nobody counted. */
export const inferredFields = Type.Array(Type.String(), {
  description: 'which of the figures were inferred, not observed',
});
