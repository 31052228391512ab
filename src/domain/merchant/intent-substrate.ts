/** How far a pocket and its outlets serve an intent (docs/formulas.md, "Intent substrate"). */

import type { Reading } from '../atmosphere/reading.ts';
import type { Category, Intent, Outlet } from '../city/city.ts';
import { type OutletCounts, openKinds, outletCounts, type PocketOutlets } from '../city/pocket-outlets.ts';
import type { Moment } from '../decision/moment.ts';
import { lineTier, type Tier } from '../decision/tier.ts';
import {
  atmosphereFit,
  hourFit,
  type IntentFit,
  intentFit,
  mostWanted,
  SUITS,
  SUITS_IN_PART,
} from '../intent/intent-fit.ts';
import { type IntentPresent, lackWords, serves } from '../intent/intent-needs.ts';
import { knownRainPressure } from '../signals/scales.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';
import { round } from '../stats/unit-scale.ts';
import { percentText } from '../text/figures.ts';
import { rainWords } from '../text/rain-words.ts';
import { spokenClock } from '../text/spoken-clock.ts';
import { lineInVoice } from '../text/voice.ts';
import type { Zone } from '../time/zone.ts';
import type { Confidence } from './confidence.ts';

/** The current moment, as far as an intent is matched against it. */
export interface IntentMoment {
  slot: number;
  moment: Pick<Moment, 'calm_probability' | 'fragility' | 'window_ends_at'>;
  reading: Pick<Reading, 'calm' | 'stress' | 'social_energy' | 'productive' | 'completeness'>;
  rain_mm: number | null;
  spare_capacity: number | null;
}

export interface IntentInput {
  zone: Zone;
  /** The pocket's display name. */
  name: string;
  intent: Intent;
  /** Share of the pocket under cover; null where nobody has stated it. */
  covered: number | null;
  outlets: PocketOutlets<Pick<Outlet, 'category'>>;
  /** Null when no moment is current. */
  present: IntentMoment | null;
}

/** A category of outlets, one row however many outlets it has, so that no outlet can be identified. */
export interface MatchedCategory {
  /** An ordinal, not an outlet's id. */
  id: string;
  name: string;
  alignment: number;
  reasons: string[];
}

export interface IntentSubstrate extends OutletCounts {
  /** Null with fewer than five outlets; the list is then empty. */
  match_ratio: number | null;
  matched_outlets: MatchedCategory[];
  confidence: Confidence;
  current_moment_alignment: number | null;
  narrative_line: string;
  reasoning: string[];
  signal_tier: { tier: Tier | null; reason: string };
}

export const categoryNames: Record<Category, string> = {
  cafe: 'cafes',
  bakery: 'bakeries',
  restaurant: 'restaurants',
  hawker: 'hawker stalls',
  bar: 'bars',
  dessert: 'dessert shops',
  bookshop: 'bookshops',
  grocer: 'grocers',
  florist: 'florists',
  gallery: 'galleries',
  wellness: 'wellness rooms',
  boutique: 'boutiques',
};

export function intentSubstrate(input: IntentInput): IntentSubstrate {
  const { zone, intent, outlets, present } = input;
  const counts = outletCounts(outlets);
  const { outlet_count } = counts;
  const enough = outlet_count >= SMALLEST_COUNT;
  const match_ratio = enough ? matchRatio(intent, outlets) : null;
  const held = present && heldAgainst(input, present);
  return {
    ...counts,
    match_ratio,
    matched_outlets: enough ? matchedCategories(intent, outlets.open) : [],
    confidence: substrateConfidence(outlet_count, present),
    current_moment_alignment: held?.alignment ?? null,
    narrative_line: narrativeLine(input, held),
    reasoning: [
      ...momentReasons(intent, present, zone),
      ...lackReasons(held),
      outletReason(outlet_count, match_ratio),
    ],
    signal_tier: present ? tiers[lineTier(present.spare_capacity)] : UNREAD,
  };
}

/** The alignment, and why it is no better where a need decides. */
interface Held {
  alignment: number;
  why: string | null;
}

function heldAgainst({ zone, intent, covered, outlets }: IntentInput, present: IntentMoment): Held {
  const { slot, moment, reading, rain_mm } = present;
  const at: IntentPresent = {
    atmosphere: reading,
    calm_probability: moment.calm_probability,
    rain: knownRainPressure(rain_mm),
    hour: zone.hourOfDay(slot),
    covered,
    open_kinds: openKinds(outlets),
  };
  const fit: IntentFit = intentFit(intent, at);
  const alignment = round(fit.alignment);
  // A need that still lets the pocket suit the intent keeps nobody away.
  const decides = fit.lacks !== null && alignment < SUITS;
  return { alignment, why: decides && fit.lacks ? lackWords(fit.lacks, intent, at) : null };
}

const lackReasons = (held: Held | null): string[] =>
  held?.why ? [`${held.alignment >= SUITS_IN_PART ? 'only in part' : 'not'}: ${held.why}`] : [];

/**
 * Each open outlet counts by its category's weight, so that no number of outlets can be derived from the ratio; a
 * closed one serves nobody and counts 0.
 */
const matchRatio = (intent: Intent, { active, open }: IntentInput['outlets']): number =>
  round(open.reduce((sum, { category }) => sum + serves(intent, category), 0) / active.length);

/** The categories of which an outlet is open. */
function matchedCategories(intent: Intent, open: IntentInput['outlets']['open']): MatchedCategory[] {
  return [...new Set(open.map(({ category }) => category))]
    .map((category) => ({ name: categoryNames[category], alignment: serves(intent, category) }))
    .filter(({ alignment }) => alignment > 0)
    .sort((a, b) => b.alignment - a.alignment || (a.name < b.name ? -1 : 1))
    .map(({ name, alignment }, at) => ({
      id: String(at + 1),
      name,
      alignment,
      reasons: [`${name} serve it ${alignment >= 0.8 ? 'well' : alignment >= 0.5 ? 'fairly' : 'in part'}`],
    }));
}

/** High with five outlets or more and a moment that is well observed and stable. */
function substrateConfidence(outlets: number, present: IntentMoment | null): Confidence {
  if (outlets < SMALLEST_COUNT || !present) return 'low';
  return present.reading.completeness >= 0.75 && present.moment.fragility <= 0.5 ? 'high' : 'medium';
}

function narrativeLine({ name, intent, present, zone }: IntentInput, held: Held | null): string {
  // The voice rules skip quoted text, so the title is checked by itself.
  const title = lineInVoice(intent.title.toLowerCase());
  const line = (place: string, what: string) => {
    if (!present || !held)
      return `nothing was read in ${place} lately; whether it suits ${what} is not known.`;
    const { alignment, why } = held;
    const suits =
      alignment >= SUITS ? 'suits' : alignment >= SUITS_IN_PART ? 'suits in part' : 'does not suit';
    const { window_ends_at } = present.moment;
    const until =
      window_ends_at === null ? '' : `; calm is likely until about ${spokenClock(window_ends_at, zone)}`;
    return `${place} ${suits} ${what}${why ? `: ${why}` : until}.`;
  };
  const named = title === null ? null : lineInVoice(line(name.toLowerCase(), `'${title}'`), 'emit');
  return named ?? line('the pocket', 'this intent');
}

function momentReasons(intent: Intent, present: IntentMoment | null, zone: Zone): string[] {
  if (!present) return ['too little was observed in the last half hour to hold it against the present'];
  const { slot, reading, rain_mm } = present;
  const fit = hourFit(intent.hours, zone.hourOfDay(slot));
  const where = fit === 1 ? 'within' : fit > 0 ? 'at the edge of' : 'outside';
  const most = mostWanted(intent);
  const wanted = fitWords(atmosphereFit(intent, reading));
  return [
    `${zone.localClock(slot)} lies ${where} its hours`,
    most
      ? `the atmosphere ${wanted} what it wants, ${qualityWords[most.quality]} ${most.weight > 0 ? 'most' : 'least'} of all`
      : 'it wants nothing of the atmosphere',
    ...(intent.rain !== 0 && rain_mm !== null
      ? [
          `${rainWords(rain_mm) ?? 'no rain'}, where it ${intent.rain > 0 ? 'is meant for rain' : 'wants it dry'}`,
        ]
      : []),
  ];
}

const qualityWords = {
  calm: 'calm',
  stress: 'stress',
  social_energy: 'company',
  productive: 'work',
} as const;

const fitWords = (fit: number): string =>
  fit >= 0.65 ? 'meets' : fit >= 0.45 ? 'meets in part' : 'hardly meets';

const outletReason = (count: number, ratio: number | null): string =>
  ratio === null
    ? `with fewer than ${SMALLEST_COUNT} active outlets, nothing but their number is shown`
    : `of ${count} active outlets, each counted as far as its kind serves it and 0 while closed, ${percentText(ratio)} match`;

const tiers: Record<Tier, IntentSubstrate['signal_tier']> = {
  atmosphere: {
    tier: 'atmosphere',
    reason: 'the open outlets have too little room for more than how the place feels',
  },
  experience: { tier: 'experience', reason: 'the open outlets have room, so a visit could be offered' },
};
const UNREAD = { tier: null, reason: 'not enough recent data' };
