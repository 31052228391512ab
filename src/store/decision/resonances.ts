import type { Reader } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';

/** The resonance of a pocket at each slot in the window (after, until], oldest first. */
export const resonancesBetween = (
  store: Reader,
  pocket: string,
  after: number,
  until: number,
): Promise<{ slot: number; resonance: number }[]> =>
  store.all(
    `select slot, resonance from moments where pocket_id = ? and ${withinDays('slot')} order by slot`,
    pocket,
    ...windowAndDays({ after, until }),
  );
