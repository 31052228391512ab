import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { lineTier } from '../../domain/decision/tier.ts';
import { spareCapacity } from '../../domain/merchant/spare-capacity.ts';
import { narrate, narrativeFormats } from '../../domain/narration/narrative.ts';
import { judgedAt } from '../../domain/window/calm-window.ts';
import { currentSituation } from '../../store/decision/situation.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { outletIdInPocket, outletInPocket } from '../merchant/outlet.ts';
import { PROFILE_ROWS, usualUse } from '../merchant/outlet-profile.ts';
import { tier } from './decision-fields.ts';

export const getComposedNarrative = defineOperation({
  name: 'get_composed_narrative',
  title: 'Composed narrative of a pocket',
  description:
    "Composes the present moment of a pocket as one line for a medium, in three beats: what is observed, how it compares, how long it may hold. Use it to quote the moment where a push (at most 18 words), a microblog (at most 280 characters), a message or a paragraph of an e-mail is wanted. Returns {pocket_id, format, line, tier}; line and tier are null where too little was observed in the last half hour. With an outlet, the tier is by that outlet's own room; it is never named.",
  input: {
    pocket_id: pocketId,
    outlet_id: Type.Optional(outletIdInPocket),
    format: Type.Enum([...narrativeFormats], { default: 'narration', description: 'the medium' }),
  },
  output: Type.Object({
    pocket_id: Type.String(),
    format: Type.Enum([...narrativeFormats]),
    line: nullable(Type.String()),
    tier: nullable(tier),
  }),
  rows: ({ outlet_id }) => (outlet_id === undefined ? 0 : PROFILE_ROWS),
  load: async ({ pocket_id, outlet_id }, { store, registry, now, zone }) => {
    const outlet = outletInPocket(registry, pocket_id, outlet_id);
    const [situation, activity] = await Promise.all([
      currentSituation(store, pocket_id, now),
      outlet ? usualUse({ store, now, zone }, outlet) : null,
    ]);
    const spare_capacity = outlet
      ? spareCapacity(outlet, activity, now, zone)
      : (situation?.surroundings.spare_capacity ?? null);
    return { pocket: findPocket(registry, pocket_id), situation, spare_capacity };
  },
  shape: ({ pocket, situation, spare_capacity }, { pocket_id, format }, zone) => {
    if (!pocket || !situation) return { pocket_id, format, line: null, tier: null };
    const { slot, moment, surroundings } = situation;
    const { primary_state } = moment;
    const ends_at = judgedAt(slot, moment.window_ends_at);
    const { usual_calm, network_calm } = surroundings;
    const line = narrate(format, {
      ...{ zone, name: pocket.name, now: slot, primary_state, ends_at },
      ...{ calm: moment.window_expected_calm, usual_calm, network_calm },
    });
    return { pocket_id, format, line, tier: lineTier(spare_capacity) };
  },
  speak: ({ line }, { pocket_id }) => line ?? `no line for ${pocket_id}: not enough recent data.`,
  rest: {
    path: '/api/composed-narrative',
    limit: 'mcp',
    names: { pocket_id: 'pocket', outlet_id: 'outlet' },
  },
});
