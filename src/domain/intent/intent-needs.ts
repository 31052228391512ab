/**
 * What an intent cannot do without (docs/formulas.md, "Intent alignment"). A mean over wishes can make up for one that
 * is not met; a need is no wish: as far as it is missing, nothing makes up for it.
 */

import { type Atmosphere, CALM_STATE_LEVEL } from '../atmosphere/atmosphere.ts';
import type { Category, Intent, Need } from '../city/city.ts';
import { ramp } from '../stats/unit-scale.ts';

export type Qualities = Omit<Atmosphere, 'primary_state'>;

/** A pocket at one time, as far as an intent is held against it. */
export interface IntentPresent {
  atmosphere: Qualities;
  /** How likely it stays calm through the next half hour; null where only a usual level of calm is known. */
  calm_probability: number | null;
  /** The pressure of rain; null where it was not measured. */
  rain: number | null;
  /** Of the local clock. */
  hour: number;
  /** Share of the pocket under cover; null where nobody has stated it. */
  covered: number | null;
  /** The kinds of which an outlet is open (`openKinds`); null where too few outlets are known to say so. */
  open_kinds: readonly Category[] | null;
}

/** A category with a smaller weight for the intent does not serve it. */
export const LEAST_CATEGORY_WEIGHT = 0.3;

/** How far a kind of outlet serves an intent, 0..1. */
export function serves({ categories }: Pick<Intent, 'categories'>, category: Category): number {
  const weight = categories[category] ?? 0;
  return weight >= LEAST_CATEGORY_WEIGHT ? weight : 0;
}

/** Where it is not known whether a need is met, a pocket suits the intent in part at most. */
const UNKNOWN = 0.5;
/** The pressure of rain, about a third of a millimetre in a quarter hour, from which it rains enough for anyone. */
const RAINING = 0.2;

/** The highest alignment that a need leaves, 0..1. */
export const alignmentBound = (need: Need, intent: Intent, present: IntentPresent): number =>
  bounds[need](present, intent);

const bounds: Record<Need, (present: IntentPresent, intent: Intent) => number> = {
  calm: ({ atmosphere: { calm }, calm_probability }) =>
    calm < CALM_STATE_LEVEL ? 0 : (calm_probability ?? calm),
  rain: ({ rain }) => (rain === null ? 0 : ramp(rain, 0, RAINING)),
  shelter: ({ covered, open_kinds }, intent) =>
    covered === null && open_kinds === null
      ? UNKNOWN
      : Math.max(covered ?? 0, open_kinds ? bestServed(intent, open_kinds) : 0),
  outlets: ({ open_kinds }, intent) => (open_kinds === null ? UNKNOWN : bestServed(intent, open_kinds)),
};

const bestServed = (intent: Intent, kinds: readonly Category[]): number =>
  kinds.reduce((best, kind) => Math.max(best, serves(intent, kind)), 0);

/** Why a need keeps a pocket from suiting an intent, as a clause in lower case. */
export function lackWords(need: Need, intent: Intent, present: IntentPresent): string {
  const { atmosphere, rain, covered, open_kinds } = present;
  switch (need) {
    case 'calm':
      if (atmosphere.calm < CALM_STATE_LEVEL) return 'it is not calm';
      return alignmentBound('calm', intent, present) < 0.5
        ? 'it is unlikely to stay calm'
        : 'it may well not stay calm';
    case 'rain':
      if (rain === null) return 'rain was not measured';
      return rain === 0 ? 'no rain is falling' : 'hardly any rain is falling';
    case 'shelter':
      return covered === null && open_kinds === null ? 'its shelter is not known' : 'it has little shelter';
    case 'outlets':
      if (open_kinds === null) return 'too few outlets are known there';
      return bestServed(intent, open_kinds) === 0
        ? 'nothing that serves it is open'
        : 'little that serves it is open';
  }
}
