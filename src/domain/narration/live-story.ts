import { type Sensed, totalOf, wordCounts } from '../atmosphere/perception.ts';
import type { Reading } from '../atmosphere/reading.ts';
import type { SenseWord } from '../atmosphere/signal.ts';
import type { Intent } from '../city/city.ts';
import { alignmentOf } from '../city/intent.ts';
import type { Moment } from '../decision/moment.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import { suppressSmallCount, suppressSmallParts } from '../stats/small-count-suppression.ts';
import { voiced } from '../text/voice.ts';
import { DAY, hourOfDay, SLOT } from '../time/sgt.ts';
import { whyNow, whyPocketBenefits, whyThisMerchant, whyUsersCare } from './story-clauses.ts';

export const storyClauses = [
  'why_now',
  'why_this_merchant',
  'why_users_care',
  'why_pocket_benefits',
] as const;
export type StoryClause = (typeof storyClauses)[number];

/** Counts behind the clauses, each null or left out under the floor. */
export interface Receipts {
  /** Outlets that were counted. */
  outlets: number | null;
  /** People who said how it felt. */
  people: number | null;
  /** Of those, people whose word speaks for an intent that suits the hour. */
  intents: { slug: string; word: SenseWord; people: number }[];
}

export interface LiveStory extends Record<StoryClause, string> {
  pocket_id: string;
  slot: number;
  expires_at: number;
  receipts: Receipts;
}

export interface StoryInput {
  /** The pocket's display name. */
  name: string;
  slot: number;
  moment: Moment;
  band: MqsBand;
  reading: Pick<Reading, 'stress' | 'calm' | 'social_energy' | 'productive' | 'anomaly_flag'>;
  /** Millimetres in the quarter hour, and as a pressure. */
  rain_mm: number | null;
  rain: number;
  intents: readonly Intent[];
  senses: readonly Sensed[];
  /** Active outlets that were counted, and the mean share of their capacity in use; a closed one uses none. */
  outlets: { counted: number; use: number };
}

/** Null when a clause breaks the voice: no story is better than a part of one. */
export function liveStory(input: StoryInput): LiveStory | null {
  const { slot, moment, outlets, senses } = input;
  const words = suppressSmallParts(wordCounts(senses));
  const suiting = suitingIntents(input);
  const receipts: Receipts = {
    outlets: suppressSmallCount(outlets.counted),
    people: suppressSmallCount(totalOf(senses)),
    intents: suiting.flatMap(({ slug, word }) => {
      const people = word && words[word];
      return word && people ? [{ slug, word, people }] : [];
    }),
  };
  const name = input.name.toLowerCase();
  const turn = turnOf(name, slot);
  const scene = { ...input, name, turn };
  const why_now = whyNow(scene);
  const why_this_merchant = whyThisMerchant(receipts.outlets, outlets.use, turn);
  const why_users_care = whyUsersCare(suiting, words, turn);
  const why_pocket_benefits = whyPocketBenefits(scene);
  const lines = [why_now, why_this_merchant, why_users_care, why_pocket_benefits];
  if (lines.some((line) => voiced(line) === null)) return null;
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

/** Neighbours in time and in space take different wordings, and so does one hour on two days. */
const turnOf = (name: string, slot: number): number =>
  Math.floor(slot / (2 * SLOT)) +
  Math.floor(slot / DAY) +
  [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

export interface SuitingIntent {
  slug: string;
  title: string;
  /** The word of a person who would have it so; null where none of the five says it. */
  word: SenseWord | null;
}

/** From this alignment on the hour suits an intent. */
const SUITS = 0.55;
const MOST_INTENTS = 3;

function suitingIntents({ slot, reading, rain, intents }: StoryInput): SuitingIntent[] {
  const hour = hourOfDay(slot);
  return (
    intents
      .map((intent) => ({ intent, alignment: alignmentOf(intent, reading, rain, hour) }))
      .filter(({ alignment }) => alignment >= SUITS)
      .sort((a, b) => b.alignment - a.alignment)
      .slice(0, MOST_INTENTS)
      .map(({ intent }) => ({ slug: intent.slug, title: intent.title.toLowerCase(), word: wordOf(intent) }))
      // A title stands in quotes, where the voice does not look.
      .filter(({ title }) => voiced(title) !== null)
  );
}

/** The word for the quality that an intent wants most. */
export function wordOf({ atmosphere }: Pick<Intent, 'atmosphere'>): SenseWord | null {
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
