import Type from 'typebox';
import { findPocket, outletsAt } from '../../domain/city/lists/find-entries.ts';
import { pocketOutlets } from '../../domain/city/pocket-outlets.ts';
import { intentSubstrate } from '../../domain/merchant/intent-substrate.ts';
import { printable } from '../../domain/text/printable.ts';
import { lineInVoice } from '../../domain/text/voice.ts';
import { currentSituation } from '../../store/decision/situation.ts';
import { nullable, unavailable, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId, shortText } from '../core/fields.ts';
import { confidence, outletCountFields } from './merchant-fields.ts';

export const intentSlug = shortText(
  64,
  'intent slug (for example quiet-now, rain-friendly, late-lunch, work-friendly or calm-work)',
);

/** Null with fewer than five active outlets. */
export const matchRatio = nullable(
  unitField('each active outlet counts as far as its kind serves the intent, and 0 while closed'),
);

const asked = { pocket_id: Type.String(), slug: Type.String() };

const matchedKind = Type.Object({
  id: Type.String({ description: 'an ordinal' }),
  name: Type.String({ description: 'a kind of outlet' }),
  alignment: unit,
  reasons: Type.Array(Type.String()),
});

const substrate = Type.Object({
  ...asked,
  intent_description: Type.String(),
  ...outletCountFields,
  match_ratio: matchRatio,
  matched_outlets: Type.Array(matchedKind),
  confidence,
  current_moment_alignment: nullable(unit),
  narrative_line: Type.String(),
  reasoning: Type.Array(Type.String()),
});

const unknownSlug = Type.Object({
  ...asked,
  available: unavailable,
  known_slugs: Type.Array(Type.String()),
});

const unknownPocket = Type.Object({
  ...asked,
  available: unavailable,
  matched_outlets: Type.Array(matchedKind, { maxItems: 0 }),
});

export const getIntentSubstrate = defineOperation({
  name: 'get_intent_substrate',
  title: 'How far a pocket serves an intent',
  description:
    'Tells how far one pocket serves one intent, such as quiet-now, calm-work or rain-shelter. Use it for "is this a good place to work now?". Not for choosing a pocket (find_calm_pocket_now ranks all, compare_pockets takes two). Returns intent_description, outlet_count, match_ratio, confidence, matched_outlets (kinds, never names), current_moment_alignment, narrative_line and reasoning; an unknown slug gives known_slugs.',
  toolsets: ['reader', 'merchant'],
  input: { pocket_id: pocketId, slug: intentSlug },
  output: Type.Union([substrate, unknownSlug, unknownPocket]),
  notFoundText: 'extended',
  load: ({ pocket_id, slug }, context) => loadIntent(context, pocket_id, slug),
  shape: ({ pocket, intent, substrate, slugs }, { pocket_id, slug }) => {
    if (!intent) return { pocket_id, slug, available: false as const, known_slugs: slugs };
    if (!pocket || !substrate) return { pocket_id, slug, available: false as const, matched_outlets: [] };
    const { signal_tier: _restOnly, ...shown } = substrate;
    return { pocket_id, slug, intent_description: intent.description, ...shown };
  },
  speak: (answer, { pocket_id, slug }) => {
    if ('known_slugs' in answer)
      return `unknown intent slug: ${printable(slug)}\nthere are: ${answer.known_slugs.join(', ')}.`;
    if ('available' in answer) return `no intent substrate for ${printable(pocket_id)}`;
    const {
      outlet_count,
      open_now_count,
      matched_outlets,
      match_ratio,
      confidence,
      current_moment_alignment,
    } = answer;
    const served = matched_outlets.map(({ name, alignment }) => `${name} (${alignment})`);
    const description = lineInVoice(answer.intent_description);
    return [
      answer.narrative_line,
      ...(description === null ? [] : [`the intent: ${description}`]),
      match_ratio === null
        ? `active outlets: ${outlet_count}; with fewer than five, nothing else is said about them.`
        : `match ratio ${match_ratio} over ${outlet_count} active outlets, ${open_now_count ?? 'fewer than five'} open now; ${served.length ? `open kinds that serve it: ${served.join(', ')}` : 'no kind that serves it is open now'}.`,
      `alignment with the current moment: ${current_moment_alignment ?? 'not known'}; confidence ${confidence}.`,
      `${answer.reasoning.join('; ')}.`,
    ].join(' ');
  },
});

/** Loads a pocket and an intent with what the answer is computed from; the pocket or the intent may be unknown. */
export async function loadIntent(
  { registry, store, now, zone }: OperationContext,
  pocket_id: string,
  slug: string,
) {
  const pocket = findPocket(registry, pocket_id);
  const intent = registry.intents.find((one) => one.slug === slug);
  const slugs = registry.intents.map((one) => one.slug);
  if (!pocket || !intent) return { pocket, intent, substrate: null, slugs };
  const record = await currentSituation(store, pocket_id, now);
  const substrate = intentSubstrate({
    zone,
    name: pocket.name,
    intent,
    covered: pocket.covered ?? null,
    outlets: pocketOutlets(outletsAt(registry, pocket_id), pocket_id, now, zone),
    present: record && { ...record, spare_capacity: record.surroundings.spare_capacity },
  });
  return { pocket, intent, substrate, slugs };
}
