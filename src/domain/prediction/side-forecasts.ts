import { clamp, round } from '../stats/unit-scale.ts';
import { hourOfDay } from '../time/sgt.ts';

/**
 * The smaller forecasts, each an hour ahead and each learned by counting: what followed the same conditions before.
 * Conditions that were seldom seen lean on what usually follows.
 */
export interface Tally {
  n: number;
  sum: number;
}

/** A year of an hour's outcomes; older ones fade from there. */
const MEMORY = 400;
const LEAN = 12;

export function tallied(tally: Tally | undefined, outcome: number): Tally {
  const { n, sum } = tally ?? { n: 0, sum: 0 };
  const keep = n >= MEMORY ? (MEMORY - 1) / MEMORY : 1;
  return { n: round(n * keep + 1, 4), sum: round(sum * keep + outcome, 4) };
}

/** The mean outcome under these conditions, drawn to `usual` while they were seldom seen. */
export const expectation = (tally: Tally | undefined, usual: number): number =>
  ((tally?.sum ?? 0) + LEAN * usual) / ((tally?.n ?? 0) + LEAN);

export const sideGenerators = {
  quiet_window_60m: { type: 'quiet_window', shadow: false },
  rain_comfort_60m: { type: 'rain_comfort', shadow: false },
  movement_friction_60m: { type: 'movement_friction', shadow: false },
  offer_intensity_60m: { type: 'offer_intensity', shadow: true },
  silence_correctness_60m: { type: 'silence_correctness', shadow: false },
} as const;
export type SideGenerator = keyof typeof sideGenerators;

/** A chance or a level, 0..1, and the conditions it was counted under. */
export interface SideForecast {
  expected: number;
  filed_under: string;
}

/** What a pocket is like when a side forecast is made. */
export interface Conditions {
  slot: number;
  calm: number;
  rain_mm: number | null;
  friction: number;
  room: number | null;
  /** Null when the service spoke. */
  gate: string | null;
}

/** The conditions that an outcome is filed under; null when there is nothing to forecast. */
export function fileUnder(generator: SideGenerator, at: Conditions): string | null {
  const part = Math.floor(hourOfDay(at.slot) / 3);
  switch (generator) {
    case 'quiet_window_60m':
      return `${Math.round(at.calm * 5)} ${part}`;
    case 'rain_comfort_60m':
      return at.rain_mm === null
        ? null
        : `${at.rain_mm === 0 ? 'dry' : at.rain_mm < 1 ? 'wet' : 'pouring'} ${part}`;
    case 'movement_friction_60m':
      return `${Math.round(at.friction * 8)} ${part}`;
    case 'offer_intensity_60m':
      return at.room === null ? null : `${Math.round(at.room * 5)} ${part}`;
    case 'silence_correctness_60m':
      return at.gate === null ? null : `${at.gate} ${part}`;
  }
}

/** What is usual of each outcome before anything was counted. */
export const usualOutcome: Record<SideGenerator, number> = {
  quiet_window_60m: 0.6,
  rain_comfort_60m: 0.93,
  movement_friction_60m: 0.2,
  offer_intensity_60m: 0.5,
  silence_correctness_60m: 0.9,
};

const isChance = (generator: SideGenerator): boolean =>
  generator !== 'movement_friction_60m' && generator !== 'offer_intensity_60m';

/** For a chance, that of the likelier side; for a level, less the less was counted. */
export const sideConfidence = (
  generator: SideGenerator,
  expected: number,
  tally: Tally | undefined,
): number =>
  round(
    isChance(generator) ? Math.max(expected, 1 - expected) : 0.9 - 0.5 * (LEAN / ((tally?.n ?? 0) + LEAN)),
  );

const LEVEL_SCALE = 0.4;

/** A chance scores what it gave to the side that came true; a level loses with its distance. */
export const sideScore = (generator: SideGenerator, expected: number, outcome: number): number =>
  round(
    isChance(generator)
      ? 1 - Math.abs(expected - outcome)
      : clamp(1 - Math.abs(expected - outcome) / LEVEL_SCALE),
  );
