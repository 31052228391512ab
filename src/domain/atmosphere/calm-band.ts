/** The calm level and the chance of calm in words that people know (docs/formulas.md, "Words for calm"). */
import { countText } from '../text/count-text.ts';
import { percentAgainst } from '../text/figures.ts';
import { CALM_STATE_LEVEL } from './atmosphere.ts';

/** From the calmest on, each from its least calm level. A calm state begins at the second. */
const bands = [
  ['very calm', 0.75],
  ['calm', CALM_STATE_LEVEL],
  ['mixed', 0.4],
  ['busy', 0.25],
  ['very busy', 0],
] as const;
export type CalmBand = (typeof bands)[number][0];
export const calmBands: readonly CalmBand[] = bands.map(([band]) => band);
/** The least calm level of each band, from the calmest on. */
export const bandLevels: readonly (readonly [band: CalmBand, least: number])[] = bands;

export const calmBand = (calm_level: number): CalmBand =>
  bands.find(([, least]) => calm_level >= least)?.[0] ?? 'very busy';

/** From this chance on calm is likely: a window begins. */
export const LIKELY_CALM = 0.7;
/** From this chance on it may be calm: as likely as not. */
export const MAYBE_CALM = 0.5;

const chances = [
  ['very likely calm', 0.9],
  ['likely calm', LIKELY_CALM],
  ['may be calm', MAYBE_CALM],
  ['unlikely calm', 0.1],
  ['very unlikely calm', 0],
] as const;
export type CalmChance = (typeof chances)[number][0];
export const calmChances: readonly CalmChance[] = chances.map(([words]) => words);

/** How often an hour of the week was calm, in words of frequency: it is no forecast. The limits are those of chances. */
const frequencies = [
  ['almost always calm', 0.9],
  ['usually calm', LIKELY_CALM],
  ['often calm', MAYBE_CALM],
  ['sometimes calm', 0.1],
  ['hardly ever calm', 0],
] as const;
export const calmFrequencies: readonly string[] = frequencies.map(([words]) => words);

type Steps = typeof chances | typeof frequencies;
const findStep = <S extends Steps>(share: number, steps: S): S[number] =>
  steps.find(([, least]) => share >= least) ?? steps[4];

/** 'likely calm'. */
export const chanceWords = (chance: number): CalmChance => findStep(chance, chances)[0];

/** 'likely calm (82 %)': the percentage is never rounded across the limit of its words. */
export const chanceText = (chance: number): string =>
  `${chanceWords(chance)} (${percentWithin(chance, chances)})`;

/** 'often calm (58 % of 32 readings)': the share of the readings of an hour of the week that were calm. */
export const usualChanceText = (share: number, n: number): string =>
  `${findStep(share, frequencies)[0]} (${percentWithin(share, frequencies)} of ${countText(n, 'reading')})`;

function percentWithin(share: number, steps: Steps): string {
  const [, least] = findStep(share, steps);
  const next = steps.findLast(([, limit]) => limit > share)?.[1] ?? 1;
  return percentAgainst(share, next - share < share - least ? next : least);
}
