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
  rain_then: number | null;
  rain_now: number | null;
  /** Footfall less what is usual for the hour, as a share of the pocket's peak; null when unknown. */
  crowd_surprise: number | null;
  calm_now: number;
  /** The state one slot earlier; null when unread. */
  state_before: string | null;
  /** The service spoke in the pocket between sealing and reveal. */
  spoke: boolean;
  /** The state most pockets were in. */
  network_state: string;
}

const STALE = 0.75;
const WET_MM = 0.4;
const CROWD = 0.2;
const NEAR = 0.1;

/** The first cause that fits, from the plainest to the subtlest. */
export function errorTypeOf(miss: Miss): ErrorType {
  const { rain_then, rain_now, crowd_surprise, calm_now } = miss;
  if (miss.completeness < STALE) return 'freshness_miss';
  if (rain_then !== null && rain_now !== null && rain_then >= WET_MM !== rain_now >= WET_MM)
    return 'weather_miss';
  if (crowd_surprise !== null && Math.abs(crowd_surprise) >= CROWD) return 'footfall_miss';
  if (miss.state_before === miss.expected_state) return 'timing_miss';
  if (miss.spoke) return 'saturation_misread';
  if (Math.abs(miss.expected_calm - calm_now) <= NEAR) return 'threshold_too_loose';
  if (miss.network_state === miss.expected_state) return 'wrong_pocket_inheritance';
  return 'threshold_too_loose';
}
