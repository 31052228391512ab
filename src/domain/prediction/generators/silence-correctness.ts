import { sideGenerator } from './side.ts';

/** The chance that the silence of the moment is found right. */
export const silenceCorrectness = sideGenerator({
  type: 'silence_correctness',
  kind: 'chance',
  horizon: 60,
  shadow: false,
  usual: 0.9,
  condition: ({ gate }) => gate,
  outcome: ({ silence_right }) => silence_right,
  // Whether a silence is right is known only after its hour.
  current: () => null,
  miss: 'threshold_too_loose',
});
