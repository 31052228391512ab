// The words that simulated people choose for their pocket.
import { type SenseWord, senseWords } from '../../domain/signals/signal.ts';
import type { CalendarSlot } from './calendar.ts';
import type { Crowd } from './crowd.ts';
import { draws, mix, poisson } from './random/random.ts';
import { bump, plateau } from './rhythm.ts';
import type { Site } from './sites.ts';

/** What a person on the street can notice. */
export interface StreetConditions {
  crowd: Crowd;
  /** Change of the crowd's level over the last half hour. */
  change: number;
  transit: number;
  felt: number;
}

const MOST_PEOPLE = 12;

/** Relative probability of each word. None is ever 0, since people notice different things. */
export function wordWeights(
  site: Site,
  { outing }: CalendarSlot,
  street: StreetConditions,
): Record<SenseWord, number> {
  const { office } = site.character;
  const level = street.crowd.level;
  const crowded = 1 / (1 + Math.exp(-8 * (level - 0.7)));
  const empty = 1 / (1 + Math.exp(9 * (level - 0.4)));
  const evening = plateau(outing.hour, 17.8, 25);
  const leisure = outing.kind === 'weekday' ? 0 : plateau(outing.hour, 11, 18);
  const working =
    outing.kind === 'weekday' ? bump(outing.hour, 10.3, 1.9) + 0.5 * bump(outing.hour, 15, 1.8) : 0;
  const rush = outing.kind === 'weekday' ? bump(outing.hour, 8.2, 0.8) + bump(outing.hour, 18.3, 0.9) : 0;
  return {
    calm: 0.08 + 2.4 * empty,
    busy: 0.08 + 1.7 * crowded + 0.4 * street.transit * crowded,
    social: 0.08 + 2 * (evening + 0.5 * leisure) * Math.min(1.2, level) * (1 - 0.5 * street.felt),
    focused: 0.08 + 1.7 * office * working * (1 - 0.4 * crowded),
    transitional:
      0.08 + 1.5 * rush * (0.25 + street.transit) + 4 * Math.max(0, Math.abs(street.change) - 0.07),
  };
}

/** How many people chose each word in the quarter hour; words without people are left out. */
export function sensesAt(
  site: Site,
  calendar: CalendarSlot,
  street: StreetConditions,
): [SenseWord, number][] {
  const draw = draws(mix(mix(site.seed, 61), calendar.quarter));
  const awake = plateau(calendar.outing.hour, 6.5, 25);
  const people = poisson(awake * (0.35 + 2.3 * street.crowd.level), draw(), MOST_PEOPLE);
  if (people === 0) return [];
  const weights = wordWeights(site, calendar, street);
  const total = senseWords.reduce((sum, word) => sum + weights[word], 0);
  const counts = new Map<SenseWord, number>();
  for (let n = 0; n < people; n++) {
    const word = pick(weights, draw() * total);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts];
}

function pick(weights: Record<SenseWord, number>, at: number): SenseWord {
  let rest = at;
  for (const word of senseWords) {
    if (rest < weights[word]) return word;
    rest -= weights[word];
  }
  return 'calm';
}
