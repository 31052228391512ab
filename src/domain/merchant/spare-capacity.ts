import { clamp } from '../stats/unit-scale.ts';

/** Share of an outlet's capacity that is not in use, 0..1; null without activity, since such an outlet is closed. */
export const spareCapacity = (activity: number | null): number | null =>
  activity !== null && activity > 0 ? clamp(1 - activity) : null;
