import type { Atmosphere } from './atmosphere.ts';

/** The atmosphere of one pocket at one slot. */
export interface Reading extends Atmosphere {
  pocket_id: string;
  slot: number;
  anomaly_flag: boolean;
  completeness: number;
}
