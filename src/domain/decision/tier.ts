/** What a line is about: how a place feels, or something that an outlet has room for. */
export const tiers = ['atmosphere', 'experience'] as const;
export type Tier = (typeof tiers)[number];

/** Room that makes a moment more than an atmosphere. */
export const READY = 0.55;

export const tierOf = (room: number | null): Tier =>
  room !== null && room >= READY ? 'experience' : 'atmosphere';
