/** What a line is about: how a place feels, or a visit to an outlet that has spare capacity. */
export const tiers = ['atmosphere', 'experience'] as const;
export type Tier = (typeof tiers)[number];

/** Spare capacity from which the tier is experience. */
export const EXPERIENCE_THRESHOLD = 0.55;

export const lineTier = (spare_capacity: number | null): Tier =>
  spare_capacity !== null && spare_capacity >= EXPERIENCE_THRESHOLD ? 'experience' : 'atmosphere';
