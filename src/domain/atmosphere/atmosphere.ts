import type { Character } from '../city/city.ts';
import { type Pressures, pressureShare } from '../signals/pressures.ts';
import type { Scales } from '../signals/scales.ts';
import type { Snapshot } from '../signals/snapshot.ts';
import { clamp, ramp, round } from '../stats/unit-scale.ts';
import type { PrimaryState } from './primary-state.ts';

/**
 * The atmosphere of a pocket: four qualities, 0..1, and the state that follows from them (docs/formulas.md,
 * "Atmosphere").
 */
export interface Atmosphere {
  stress: number;
  calm: number;
  social_energy: number;
  productive: number;
  primary_state: PrimaryState;
}

/** Below this completeness there is no reading. Of a pocket that expects everything, the crowd alone (0.28) suffices. */
export const MIN_COMPLETENESS = 0.25;

/** What the atmosphere of a pocket depends on beside its measurements. */
export interface PocketSetting {
  character: Pick<Character, 'office'>;
  scales: Scales;
}

/** The time of the snapshot on the local clock. */
export interface LocalTime {
  /** Hours with the fraction: 08:30 is 8.5. */
  hour: number;
  /** True on a weekend or public holiday. */
  rest: boolean;
}

export interface AtmosphereInput extends PocketSetting, LocalTime, Pick<Snapshot, 'completeness'> {
  pressures: Pressures;
}

/** Null where the crowd is not known, since nothing else tells how full a street is, and in too incomplete a snapshot. */
export function computeAtmosphere(input: AtmosphereInput): Atmosphere | null {
  const { hour, rest, completeness, pressures, scales, character } = input;
  const { crowd, rain } = pressures;
  const share = pressureShare(pressures);
  if (crowd === null || share === null || completeness < MIN_COMPLETENESS) return null;

  // The contract shows no formula. These weights are a judgement, not a fit: strain takes most of the calm, and a full
  // street some of it even where nobody is strained.
  const stress = scales.stress(share);
  const calm = clamp(1 - 0.8 * stress - 0.3 * crowd);
  const social_energy = clamp(crowd ** 0.7 * leisure(hour, rest) * lessRain(rain, 0.4));
  const productive = clamp(
    work(hour, rest) * (0.4 + 0.6 * character.office) * (1 - 0.5 * stress) * lessRain(rain, 0.3),
  );
  const qualities = {
    stress: round(stress),
    calm: round(calm),
    social_energy: round(social_energy),
    productive: round(productive),
  };
  return { ...qualities, primary_state: choosePrimaryState(qualities, rain, crowd) };
}

/** What rain leaves of a quality; rain that was not measured is left out of the product. */
const lessRain = (rain: number | null, weight: number): number => (rain === null ? 1 : 1 - weight * rain);

/** How far an hour is one of leisure, 0..1: evenings on any day, and the whole of a rest day. */
const leisure = (hour: number, rest: boolean): number =>
  Math.max(
    bump(hour, 17.5, 22.5, 2),
    bump(hour, 0, 1.5, 1.5) * 0.7,
    bump(hour, 10, 22.5, 2) * (rest ? 0.95 : 0.35),
  );

/** How far an hour is one of work, 0..1: office hours with a dip at lunch. */
const work = (hour: number, rest: boolean): number =>
  bump(hour, 8.5, 18, 1.5) * (1 - 0.35 * bump(hour, 12.25, 13.5, 0.5)) * (rest ? 0.45 : 1);

/** 1 between `from` and `to`, falling to 0 over `edge` hours on either side. */
export const bump = (hour: number, from: number, to: number, edge: number): number =>
  Math.min(ramp(hour, from - edge, from), ramp(hour, to + edge, to));

/** Thresholds of the states. From this level of calm on a state is calm, unless it is tense or subdued by rain. */
export const CALM_STATE_LEVEL = 0.55;
/** On the fixed scales, two thirds of the pressure of an ordinary busy hour. */
export const TENSE = 0.62;
/** The pressure of 0.65 mm in a quarter hour: steady rain. */
const RAINY = 0.35;
/** Social or productive energy from which an hour feels so: a judgement. */
const MIN_ENERGY = 0.3;

function choosePrimaryState(
  qualities: Omit<Atmosphere, 'primary_state'>,
  rain: number | null,
  crowd: number,
): PrimaryState {
  const { stress, calm, social_energy, productive } = qualities;
  if (stress >= TENSE) return 'tense-crowded';
  if (rain !== null && rain >= RAINY && crowd < 0.5) return 'rain-subdued';
  const social = social_energy >= MIN_ENERGY && social_energy >= productive;
  const working = productive >= MIN_ENERGY && productive > social_energy;
  if (calm >= CALM_STATE_LEVEL) return working ? 'calm-productive' : social ? 'calm-social' : 'calm-restful';
  if (working) return 'busy-productive';
  return social ? 'lively-social' : 'mixed-transitional';
}
