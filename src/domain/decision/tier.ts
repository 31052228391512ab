/** What a line is about: how a place feels, or something that an outlet has room for. */
export const tiers = ['atmosphere', 'experience'] as const;
export type Tier = (typeof tiers)[number];

/** Room that makes a moment more than an atmosphere. */
export const EXPERIENCE_THRESHOLD = 0.55;

export const tierOf = (spare_capacity: number | null): Tier =>
  spare_capacity !== null && spare_capacity >= EXPERIENCE_THRESHOLD ? 'experience' : 'atmosphere';
