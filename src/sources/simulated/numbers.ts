export const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

export const clamp01 = (value: number): number => clamp(value, 0, 1);

/** To `parts` parts of a unit. Dividing (not multiplying by 0.1) keeps 0.3 as 0.3; adding 0 turns -0 into 0. */
export const roundTo = (value: number, parts: number): number => Math.round(value * parts) / parts + 0;
