import type { Character } from '../city/city.ts';
import { clamp, ramp, round, weightedMean } from '../stats/unit-scale.ts';
import { hourOfDay } from '../time/sgt.ts';
import type { PrimaryState } from './primary-state.ts';
import type { Snapshot } from './snapshot.ts';

/** How a pocket feels: four qualities on the 0..1 scale, and the state they add up to. */
export interface Atmosphere {
  stress: number;
  calm: number;
  social_energy: number;
  productive: number;
  primary_state: PrimaryState;
}

/** With fewer of the expected signals there is nothing to read. */
export const LEAST_COMPLETENESS = 0.25;

/** `rest` is true on a weekend or public holiday. Null when too little is known. */
export function atmosphereOf(snapshot: Snapshot, character: Character, rest: boolean): Atmosphere | null {
  if (snapshot.completeness < LEAST_COMPLETENESS) return null;
  const pressures = pressuresOf(snapshot.values, character);
  const { crowd, rain } = pressures;
  const hour = hourOfDay(snapshot.slot);

  const stress = stressOf(pressures);
  const calm = clamp(1 - 0.8 * stress - 0.3 * (crowd ?? stress));
  const social_energy = clamp((crowd ?? 0.3) ** 0.7 * leisure(hour, rest) * (1 - 0.4 * (rain ?? 0)));
  const productive = clamp(
    work(hour, rest) * (0.4 + 0.6 * character.office) * (1 - 0.5 * stress) * (1 - 0.3 * (rain ?? 0)),
  );
  const qualities = {
    stress: round(stress),
    calm: round(calm),
    social_energy: round(social_energy),
    productive: round(productive),
  };
  return { ...qualities, primary_state: stateOf(qualities, rain ?? 0, crowd ?? 0.5) };
}

interface Pressures {
  crowd: number | null;
  transit: number | null;
  jam: number | null;
  rain: number | null;
  heat: number | null;
  air: number | null;
  parking: number | null;
}

/** Each measurement as a pressure on the pocket, 0 none to 1 heavy. */
export function pressuresOf(values: Snapshot['values'], character: Character): Pressures {
  const on = (value: number | null, scale: (x: number) => number) => (value === null ? null : scale(value));
  const humidity = values.humidity_pct ?? 80;
  return {
    crowd: on(values.footfall, (people) => clamp(people / character.footfall_peak)),
    transit: on(values.transit_crowding, clamp),
    jam: on(values.traffic_speed_kmh, (speed) => ramp(speed, 45, 12)),
    rain: on(values.rain_mm, rainPressure),
    heat: on(values.temperature_c, (celsius) => ramp(celsius + 0.05 * (humidity - 75), 29, 35)),
    air: on(values.pm25, (level) => ramp(level, 20, 90)),
    parking: on(values.carpark_occupancy, (share) => ramp(share, 0.6, 1)),
  };
}

/** `mm` fell in the last quarter hour. */
export const rainPressure = (mm: number): number => 1 - Math.exp(-mm / 1.5);

/** A mean over the pressures that are known, stretched so that an ordinary week uses the whole scale. */
function stressOf({ crowd, transit, jam, rain, heat, air, parking }: Pressures): number {
  const mean = weightedMean([
    [crowd, 0.28],
    [transit, 0.18],
    [jam, 0.2],
    [rain, 0.14],
    [heat, 0.06],
    [air, 0.07],
    [parking, 0.07],
  ]);
  return ramp(mean ?? 0, 0.06, 0.66);
}

/** How far the hour belongs to leisure: evenings always, the whole day when nobody works. */
const leisure = (hour: number, rest: boolean): number =>
  Math.max(
    bump(hour, 17.5, 22.5, 2),
    bump(hour, 0, 1.5, 1.5) * 0.7,
    bump(hour, 10, 22.5, 2) * (rest ? 0.95 : 0.35),
  );

/** How far the hour belongs to work: office hours with a dip at lunch. */
const work = (hour: number, rest: boolean): number =>
  bump(hour, 8.5, 18, 1.5) * (1 - 0.35 * bump(hour, 12.25, 13.5, 0.5)) * (rest ? 0.45 : 1);

/** 1 between `from` and `to`, falling to 0 over `edge` hours on either side. */
export const bump = (hour: number, from: number, to: number, edge: number): number =>
  Math.min(ramp(hour, from - edge, from), ramp(hour, to + edge, to));

const CALM = 0.55;
const TENSE = 0.62;
const RAINY = 0.35;
const FELT = 0.3;

function stateOf(qualities: Omit<Atmosphere, 'primary_state'>, rain: number, crowd: number): PrimaryState {
  const { stress, calm, social_energy, productive } = qualities;
  if (stress >= TENSE) return 'tense-crowded';
  if (rain >= RAINY && crowd < 0.5) return 'rain-subdued';
  const social = social_energy >= FELT && social_energy >= productive;
  const working = productive >= FELT && productive > social_energy;
  if (calm >= CALM) return working ? 'calm-productive' : social ? 'calm-social' : 'calm-restful';
  if (working) return 'busy-productive';
  return social ? 'lively-social' : 'mixed-transitional';
}
