// Schemas that several answers about outlets and merchants share.
import Type from 'typebox';
import { categories } from '../../domain/city/city.ts';
import { confidences } from '../../domain/merchant/confidence.ts';
import { clockTime, nullable } from '../core/answer-fields.ts';

export const confidence = Type.Enum([...confidences], { description: 'how much evidence it rests on' });

export const category = Type.Enum([...categories]);

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
  outlet_count: Type.Integer({ minimum: 0, description: 'active outlets' }),
  open_now_count: nullable(
    Type.Integer({ minimum: 0, description: 'those that are open now; null where it is below five' }),
  ),
};

/** Sums of the sustainability ledger that belong to merchants. */
export const merchantTotals = {
  waste_avoided_units: Type.Number({ minimum: 0, description: 'portions' }),
  idle_reclaimed_hours: Type.Number({ minimum: 0, description: 'hours of places that usually stand idle' }),
  purposeful_trips: Type.Number({ minimum: 0, description: 'visits beyond the usual' }),
};

export const attentionSaved = Type.Number({ minimum: 0, description: 'silences found right' });
