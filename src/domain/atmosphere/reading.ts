import type { Atmosphere } from './atmosphere.ts';

/** The atmosphere of one pocket at one slot, as it is stored. */
export interface Reading extends Atmosphere {
  pocket_id: string;
  slot: number;
  anomaly_flag: boolean;
  completeness: number;
}
