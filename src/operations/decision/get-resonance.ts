import Type from 'typebox';
import { merchantLayer, publishedResonance, resonanceLayers } from '../../domain/decision/resonance.ts';
import { type Tier, tiers } from '../../domain/decision/tier.ts';
import { spareCapacity } from '../../domain/merchant/spare-capacity.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { nullable, timestamp, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { outletIdInPocket, outletInPocket } from '../merchant/outlet.ts';
import { PROFILE_ROWS, usualUse } from '../merchant/outlet-profile.ts';
import { disagreementsField, findDisagreements, readDecided } from './agreement-fields.ts';
import { tier } from './decision-fields.ts';

export const resonance = Type.Object({
  score: unitField('product of the seven layers'),
  should_surface: Type.Boolean({ description: 'the score reaches the threshold' }),
  threshold: unit,
  decay_at: timestamp,
  decay_reason: Type.String(),
  layers: Type.Record(
    Type.Enum([...resonanceLayers]),
    Type.Object({ score: nullable(unit), reasoning: Type.String() }),
  ),
});

/** Where nothing is known of outlets, only the experience tier needs one. */
const merchantState = (stored: number | null, spare_capacity: number | null, tier: Tier): number | null =>
  stored === null && spare_capacity === null && tier === 'atmosphere'
    ? null
    : merchantLayer(spare_capacity, tier);

export const getResonance = defineOperation({
  name: 'get_resonance',
  title: 'Resonance of a pocket',
  description:
    'Reads how far everything in a pocket agrees with speaking now, in seven layers whose product is compared with 0.5. Use it to see which layer keeps a pocket silent. Returns {pocket_id, tier, resonance {score, should_surface, threshold, decay_at, decay_reason, layers {time, physical, human_energy, merchant_state, attention_density, intent, temporal, each {score, reasoning}}}, disagreements}; resonance is null where too little was observed in the last half hour. With an outlet, merchant_state is by its usual use at this hour, never by the present count; at the experience tier it can rule the moment out.',
  input: {
    pocket_id: pocketId,
    outlet_id: Type.Optional(outletIdInPocket),
    tier: Type.Enum([...tiers], {
      default: 'atmosphere',
      description: 'what would be surfaced: how a place feels, or something that an outlet has room for',
    }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    tier,
    resonance: nullable(resonance),
    disagreements: disagreementsField,
  }),
  rows: ({ outlet_id }) => (outlet_id === undefined ? 0 : PROFILE_ROWS),
  load: async ({ pocket_id, outlet_id }, context) => {
    const { store, registry, now, zone } = context;
    const outlet = outletInPocket(registry, pocket_id, outlet_id);
    const [record, activity] = await Promise.all([
      currentMoment(store, pocket_id, now),
      outlet ? usualUse({ store, now, zone }, outlet) : null,
    ]);
    return {
      record,
      decided: record && (await readDecided(context, pocket_id, record.slot)),
      spare_capacity: outlet
        ? spareCapacity(outlet, activity, now, zone)
        : (record?.surroundings.spare_capacity ?? null),
    };
  },
  shape: ({ record, decided, spare_capacity }, { pocket_id, tier }) => {
    if (!record) return { pocket_id, tier, resonance: null, disagreements: [] };
    const merchant_state = merchantState(record.layers.merchant_state, spare_capacity, tier);
    const resonance = publishedResonance({ ...record.layers, merchant_state }, record.moment);
    // Of the resonance that is shown, which an outlet or another tier may change.
    const disagreements = findDisagreements({ ...record, resonance: resonance.score }, decided);
    return { pocket_id, tier, resonance, disagreements };
  },
  speak: ({ resonance }, { pocket_id }) =>
    resonance
      ? `${pocket_id} resonates at ${resonance.score}, ${resonance.should_surface ? 'at least' : 'under'} ${resonance.threshold}. ${resonance.decay_reason}.`
      : `not enough recent data for ${pocket_id}.`,
  rest: { path: '/api/resonance', names: { pocket_id: 'pocket', outlet_id: 'outlet' } },
});
