import { CALM_STATE_LEVEL } from '../../atmosphere/atmosphere.ts';
import { clamp, ramp } from '../../stats/unit-scale.ts';
import { sideGenerator } from './side.ts';

/** The chance that the next hour is quiet throughout. */
export const quietWindow = sideGenerator({
  type: 'quiet_window',
  kind: 'chance',
  horizon: 60,
  shadow: false,
  usual: 0.6,
  condition: ({ calm }) => Math.round(calm * 10),
  prior: ({ calm }) => clamp(ramp(calm, 0.4, 0.8), 0.02, 0.98),
  outcome: ({ since }) => since && Number(since.least_calm >= CALM_STATE_LEVEL),
  current: ({ calm }) => Number(calm >= CALM_STATE_LEVEL),
  miss: 'threshold_too_loose',
});
