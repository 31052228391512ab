import { rollUp } from '../../store/rollup/write-rollups.ts';
import type { JobContext } from '../core/context.ts';

/** Rolls up the half hours that are settled; those that an outage left behind are caught up with. */
export const rollUpPeriods = ({ tx, slot }: JobContext): Promise<void> => rollUp(tx, slot);
