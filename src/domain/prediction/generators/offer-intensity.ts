import { sideGenerator } from './side.ts';

/** The mean spare capacity of the open outlets an hour ahead. */
export const offerIntensity = sideGenerator({
  type: 'offer_intensity',
  kind: 'level',
  horizon: 60,
  shadow: true,
  usual: 0.5,
  condition: ({ spare_capacity }) => (spare_capacity === null ? null : Math.round(spare_capacity * 5)),
  outcome: ({ actual }) => actual?.spare_capacity ?? null,
  current: ({ spare_capacity }) => spare_capacity,
  miss: 'threshold_too_loose',
});
