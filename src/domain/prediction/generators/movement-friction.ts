import { sideGenerator } from './side.ts';

/** The movement friction an hour ahead. */
export const movementFriction = sideGenerator({
  type: 'movement_friction',
  kind: 'level',
  horizon: 60,
  shadow: false,
  usual: 0.2,
  condition: ({ friction }) => (friction === null ? null : Math.round(friction * 8)),
  outcome: ({ actual }) => actual?.movement_friction ?? null,
  current: ({ movement_friction }) => movement_friction,
  miss: 'threshold_too_loose',
});
