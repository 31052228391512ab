/** How texts name the calm level and the calm probability apart, and what they say where it disagrees with the state. */

import { isCalmState, type PrimaryState } from './primary-state.ts';

export interface CalmNow {
  primary_state: PrimaryState;
  /** The probability that the pocket is in a calm state at the next two readings: through the next half hour. */
  calm_probability: number;
  /** Calm of the reading: a level, not a probability. */
  calm_level: number;
  /** Change of the calm level over the last half hour. */
  calm_change: number;
}

/** Both figures as they are stored: rounding them again could carry one over a threshold. */
export const calmFigures = ({
  calm_level,
  calm_probability,
}: Pick<CalmNow, 'calm_level' | 'calm_probability'>): string =>
  `calm level ${calm_level}, calm probability ${calm_probability}`;

/** From this probability on the next half hour is more likely calm than not. */
const LIKELY = 0.5;
/** Finer than in usual-calm.ts: these readings lie near the edge of a calm state, where a small change decides. */
const NOTICEABLE = 0.02;

/** What has just turned, where a calm state is unlikely to last or another is likely to become calm; else null. */
export function calmTurn({ primary_state, calm_probability, calm_change }: CalmNow): string | null {
  const calm = isCalmState(primary_state);
  if (calm === calm_probability >= LIKELY) return null;
  if (calm)
    return calm_change <= -NOTICEABLE
      ? 'calm now, but turning: less calm than half an hour ago'
      : 'calm now, but barely';
  if (primary_state === 'rain-subdued')
    return 'subdued by rain, but turning: calm mostly followed such readings here';
  return calm_change >= NOTICEABLE
    ? 'not calm yet, but turning: calmer than half an hour ago'
    : 'not calm yet, but nearly';
}
