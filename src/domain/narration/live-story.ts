/** The live story of a moment: four templated clauses and the counts behind them (docs/formulas.md, "Live story"). */

import type { Intent } from '../city/city.ts';
import { intentAlignment, SUITS } from '../intent/intent-fit.ts';
import { shownPeople, wordCounts } from '../perception/perception.ts';
import type { SenseWord } from '../signals/signal.ts';
import { suppressSmallCount } from '../stats/small-count-suppression.ts';
import { lineInVoice } from '../text/voice.ts';
import { DAY, SLOT } from '../time/slot.ts';
import { whyNow, whyPocketBenefits, whyThisMerchant, whyUsersCare } from './story-clauses.ts';
import type { StoryInput, SuitingIntent } from './story-input.ts';

export const storyClauses = [
  'why_now',
  'why_this_merchant',
  'why_users_care',
  'why_pocket_benefits',
] as const;
export type StoryClause = (typeof storyClauses)[number];

/** Counts behind the clauses; small ones are null or left out. */
export interface Receipts {
  /** Outlets that were open and counted at the slot. */
  outlets: number | null;
  /** People who said how it felt. */
  people: number | null;
  /** People whose word matches what a suiting intent wants most. */
  intents: { slug: string; word: SenseWord; people: number }[];
}

export interface LiveStory extends Record<Exclude<StoryClause, 'why_this_merchant'>, string> {
  /** Null where too few outlets are open to say anything of them. */
  why_this_merchant: string | null;
  pocket_id: string;
  slot: number;
  expires_at: number;
  receipts: Receipts;
}

/** Null when any clause breaks the voice rules: an incomplete story is not published. */
export function liveStory(input: StoryInput): LiveStory | null {
  const { slot, moment, outlets, senses } = input;
  const words = wordCounts(senses);
  const suiting = suitingIntents(input);
  const receipts: Receipts = {
    outlets: suppressSmallCount(outlets.counted),
    people: suppressSmallCount(shownPeople(senses)),
    intents: suiting.flatMap(({ slug, word }) => {
      const people = word && words[word];
      return word && people ? [{ slug, word, people }] : [];
    }),
  };
  const name = input.name.toLowerCase();
  const variant = wordingVariant(name, slot);
  const clause = { ...input, name, variant };
  const why_now = whyNow(clause);
  const why_this_merchant = whyThisMerchant(receipts.outlets, outlets.use, variant);
  const why_users_care = whyUsersCare(suiting, words, variant);
  const why_pocket_benefits = whyPocketBenefits(clause);
  const lines = [why_now, why_this_merchant, why_users_care, why_pocket_benefits];
  if (lines.some((line) => line !== null && lineInVoice(line) === null)) return null;
  return {
    pocket_id: moment.pocket_id,
    slot,
    expires_at: moment.expires_at,
    why_now,
    why_this_merchant,
    why_users_care,
    why_pocket_benefits,
    receipts,
  };
}

/** Index of the wording, so that neighbouring half hours, pockets and days differ. */
const wordingVariant = (name: string, slot: number): number =>
  Math.floor(slot / (2 * SLOT)) +
  Math.floor(slot / DAY) +
  [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

const MOST_INTENTS = 3;

function suitingIntents(input: StoryInput): SuitingIntent[] {
  const { slot, zone, moment, reading, intents, rain, covered, open_kinds } = input;
  const { calm_probability } = moment;
  const hour = zone.hourOfDay(slot);
  const present = { atmosphere: reading, calm_probability, rain, hour, covered, open_kinds };
  return (
    intents
      .map((intent) => ({ intent, alignment: intentAlignment(intent, present) }))
      .filter(({ alignment }) => alignment >= SUITS)
      .sort((a, b) => b.alignment - a.alignment)
      .slice(0, MOST_INTENTS)
      .map(({ intent }) => ({
        slug: intent.slug,
        title: intent.title.toLowerCase(),
        word: wantedWord(intent),
      }))
      // The voice rules skip quoted text, so a title is checked by itself.
      .filter(({ title }) => lineInVoice(title) !== null)
  );
}

/** The citizen-sense word for the quality that an intent wants most. */
export function wantedWord({ atmosphere }: Pick<Intent, 'atmosphere'>): SenseWord | null {
  const { calm, stress, social_energy, productive } = atmosphere;
  const wants: [SenseWord, number][] = [
    ['calm', Math.max(calm, -stress)],
    ['busy', stress],
    ['social', social_energy],
    ['focused', productive],
  ];
  const [word, weight] = wants.reduce((most, want) => (want[1] > most[1] ? want : most));
  return weight > 0 ? word : null;
}
