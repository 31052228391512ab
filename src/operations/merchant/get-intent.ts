import { printable } from '../../domain/text/printable.ts';
import { defineUntypedOperation, NotFound } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { intentSlug, loadIntent } from './get-intent-substrate.ts';

export const getIntent = defineUntypedOperation({
  name: 'get_intent',
  title: 'An intent in a pocket',
  description:
    'Tells how far a pocket serves an intent. Use it over HTTP where get_intent_substrate is used over MCP. Returns pocket {pocket_id, display_name, region, outlet_count}, intent {slug, title, description, current_moment_alignment}, match_ratio (0..1: each active outlet counts as far as its kind serves the intent; null with fewer than five), confidence (low, medium or high), reasoning and signal_tier {tier, reason}; alignment and tier are null where too little was observed in the last half hour.',
  input: { pocket_id: pocketId, slug: intentSlug },
  effect: 'read',
  tool: false,
  load: async ({ pocket_id, slug }, world) => {
    const { pocket, intent, substrate } = await loadIntent(world, pocket_id, slug);
    if (!pocket) throw new NotFound(`unknown pocket: ${printable(pocket_id)}`);
    if (!intent || !substrate) throw new NotFound(`unknown intent slug: ${printable(slug)}`);
    return { pocket, intent, substrate };
  },
  shape: ({ pocket, intent, substrate }) => {
    const { outlet_count, current_moment_alignment, match_ratio, confidence, reasoning } = substrate;
    const { slug, title, description } = intent;
    return {
      pocket: { pocket_id: pocket.id, display_name: pocket.name, region: pocket.region, outlet_count },
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
