/** The closed set of atmosphere states. Hyphenated everywhere but in futures. */
export const primaryStates = [
  'calm-productive',
  'calm-social',
  'calm-restful',
  'busy-productive',
  'lively-social',
  'tense-crowded',
  'rain-subdued',
  'mixed-transitional',
] as const;
export type PrimaryState = (typeof primaryStates)[number];

export const isCalmState = (state: PrimaryState): boolean => state.startsWith('calm-');

/** As futures write it. */
export const withUnderscores = (state: PrimaryState): string => state.replaceAll('-', '_');
