// The answer of get_intent_substrate in the form that the interface fixes for REST.
import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { nullable, unit } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { tier } from '../decision/decision-fields.ts';
import { intentSlug, loadIntent, matchRatio } from './get-intent-substrate.ts';
import { confidence, outletCountFields } from './merchant-fields.ts';

export const getIntent = defineOperation({
  name: 'get_intent',
  title: 'An intent in a pocket',
  description:
    'Tells how far a pocket serves an intent. Use it over HTTP where get_intent_substrate is used over MCP. Returns pocket {pocket_id, display_name, region, outlet_count (active outlets), open_now_count (null under five)}, intent {slug, title, description, current_moment_alignment}, match_ratio (0..1: each active outlet counts as far as its kind serves the intent, and 0 while closed; null with fewer than five), confidence (low, medium or high), reasoning and signal_tier {tier, reason}; alignment and tier are null where too little was observed in the last half hour.',
  input: { pocket_id: pocketId, slug: intentSlug },
  output: Type.Object({
    pocket: Type.Object({
      pocket_id: Type.String(),
      display_name: Type.String(),
      region: Type.String(),
      ...outletCountFields,
    }),
    intent: Type.Object({
      slug: Type.String(),
      title: Type.String(),
      description: Type.String(),
      current_moment_alignment: nullable(unit),
    }),
    match_ratio: matchRatio,
    confidence,
    reasoning: Type.Array(Type.String()),
    signal_tier: Type.Object({ tier: nullable(tier), reason: Type.String() }),
  }),
  load: async ({ pocket_id, slug }, context) => {
    const { pocket, intent, substrate } = await loadIntent(context, pocket_id, slug);
    if (!pocket) throw new NotFound(`unknown pocket: ${printable(pocket_id)}`);
    if (!intent || !substrate) throw new NotFound(`unknown intent slug: ${printable(slug)}`);
    return { pocket, intent, substrate };
  },
  shape: ({ pocket, intent, substrate }) => {
    const { outlet_count, open_now_count, current_moment_alignment, match_ratio, confidence, reasoning } =
      substrate;
    const { slug, title, description } = intent;
    return {
      pocket: {
        pocket_id: pocket.id,
        display_name: pocket.name,
        region: pocket.region,
        outlet_count,
        open_now_count,
      },
      intent: { slug, title, description, current_moment_alignment },
      match_ratio,
      confidence,
      reasoning,
      signal_tier: substrate.signal_tier,
    };
  },
  speak: ({ reasoning }) => `${reasoning.join('; ')}.`,
  rest: { path: '/api/intent', names: { pocket_id: 'pocket' } },
});
