/** The calm level and the chance of calm in words that people know (docs/formulas.md, "Words for calm"). */
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

const stepOf = (chance: number) => chances.find(([, least]) => chance >= least) ?? chances[4];

/** 'likely calm'. */
export const chanceWords = (chance: number): CalmChance => stepOf(chance)[0];

/** 'likely calm (82 %)': the percentage is never rounded across the limit of its words. */
export const chanceText = (chance: number): string => {
  const [words, least] = stepOf(chance);
  const next = chances.findLast(([, limit]) => limit > chance)?.[1] ?? 1;
  const limit = next - chance < chance - least ? next : least;
  return `${words} (${percentAgainst(chance, limit)})`;
};
