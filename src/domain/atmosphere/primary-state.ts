/** The closed set of atmosphere states. Spelled with a hyphen everywhere but in get_pocket_futures. */
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

/** As get_pocket_futures spells it. */
export const withUnderscores = (state: PrimaryState): string => state.replaceAll('-', '_');
