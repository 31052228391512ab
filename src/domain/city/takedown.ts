import { HOUR } from '../time/slot.ts';

/** The longest time from a request until all data of the outlet is removed and it is informed. It is hidden at once. */
export const TAKEDOWN_SLA = 72 * HOUR;

/** `removed`: the takedown is complete. `withdrawn`: the outlet withdrew its request and may be shown again. */
export const takedownOutcomes = ['removed', 'withdrawn'] as const;
export type TakedownOutcome = (typeof takedownOutcomes)[number];
