/** Why a state projection missed, as a closed list of causes (docs/formulas.md, "Error taxonomy"). */
export const errorTypes = [
  'weather_miss',
  'footfall_miss',
  'timing_miss',
  'freshness_miss',
  'threshold_too_loose',
  'saturation_misread',
  'wrong_pocket_inheritance',
] as const;
export type ErrorType = (typeof errorTypes)[number];

/** What is known of a state projection that missed. */
export interface Miss {
  expected_state: string;
  expected_calm: number;
  completeness: number;
  /** Rain in the last quarter hour, in mm: when sealed, and at the reveal. */
  rain_then: number | null;
  rain_now: number | null;
  /** Footfall less what is usual for the hour, as a share of the pocket's peak; null when unknown. */
  crowd_deviation: number | null;
  /** Calm as it was read at the reveal. */
  calm_now: number;
  /** The state one slot earlier; null when there is no reading. */
  state_before: string | null;
  /** The service spoke in the pocket between sealing and reveal. */
  spoke: boolean;
  /** The state most pockets were in. */
  network_state: string;
}

/** The contract's bound for a confident forecast. */
const MIN_COMPLETENESS = 0.75;
/** Twice what counts as rain elsewhere: a trace that came or went explains no miss. */
const CHANGED_RAIN_MM = 0.4;
/** A share of the pocket's peak. A fifth moves calm by 0.06 by itself, past what is called noticeable (0.05). */
const MIN_CROWD_DEVIATION = 0.2;
/** Up to this far off, calm has its full score (projection.ts): the state alone was wrong. */
const CALM_TOLERANCE = 0.1;

/** The first cause that fits; the ones that the measurements show directly come first. */
export function classifyMiss(miss: Miss): ErrorType {
  const { rain_then, rain_now, crowd_deviation, calm_now } = miss;
  if (miss.completeness < MIN_COMPLETENESS) return 'freshness_miss';
  if (rain_then !== null && rain_now !== null && rain_then >= CHANGED_RAIN_MM !== rain_now >= CHANGED_RAIN_MM)
    return 'weather_miss';
  if (crowd_deviation !== null && Math.abs(crowd_deviation) >= MIN_CROWD_DEVIATION) return 'footfall_miss';
  if (miss.state_before === miss.expected_state) return 'timing_miss';
  if (miss.spoke) return 'saturation_misread';
  if (Math.abs(miss.expected_calm - calm_now) <= CALM_TOLERANCE) return 'threshold_too_loose';
  if (miss.network_state === miss.expected_state) return 'wrong_pocket_inheritance';
  return 'threshold_too_loose';
}
