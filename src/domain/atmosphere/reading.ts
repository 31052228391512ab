import { SLOT, slotStart } from '../time/slot.ts';
import type { Atmosphere } from './atmosphere.ts';

/** The atmosphere of one pocket at one slot, as it is stored. */
export interface Reading extends Atmosphere {
  pocket_id: string;
  slot: number;
  anomaly_flag: boolean;
  completeness: number;
}

/** A reading and its moment are served for two slots, so that one late or missing reading leaves no pocket without one. */
export const CURRENT_FOR = 2 * SLOT;

/** The slots whose readings are served at a time, which need no index of a pocket's slots to be found. */
export const currentSlots = (now: number): [before: number, newest: number] => [
  slotStart(now) - SLOT,
  slotStart(now),
];
