import { clamp } from '../stats/unit-scale.ts';

/** What of an outlet's capacity is not in use, 0..1. One without any activity is closed, and so has no room to speak of. */
export const spareCapacity = (activity: number | null): number | null =>
  activity !== null && activity > 0 ? clamp(1 - activity) : null;
