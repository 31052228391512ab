import { clamp, ramp } from '../../stats/unit-scale.ts';
import { sideGenerator } from './side.ts';

/** From this calm on a reading is quiet. */
const QUIET_CALM = 0.55;

/** The chance that the next hour is quiet throughout. */
export const quietWindow = sideGenerator({
  type: 'quiet_window',
  kind: 'chance',
  horizon: 60,
  shadow: false,
  usual: 0.6,
  condition: ({ calm }) => Math.round(calm * 10),
  prior: ({ calm }) => clamp(ramp(calm, 0.4, 0.8), 0.02, 0.98),
  outcome: ({ since }) => since && Number(since.least_calm >= QUIET_CALM),
  current: ({ calm }) => Number(calm >= QUIET_CALM),
  miss: 'threshold_too_loose',
});
