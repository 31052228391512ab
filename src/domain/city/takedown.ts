import { HOUR } from '../time/sgt.ts';

/** From the request until everything about the outlet is gone and it has been told so. It is unreadable at once. */
export const TAKEDOWN_SLA = 72 * HOUR;

/** `removed`: all is done. `withdrawn`: the outlet asked to stay after all, and may be shown again. */
export const takedownOutcomes = ['removed', 'withdrawn'] as const;
export type TakedownOutcome = (typeof takedownOutcomes)[number];
