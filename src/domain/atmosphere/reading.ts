import { SLOT } from '../time/slot.ts';
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
