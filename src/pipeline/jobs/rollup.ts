import { dropHalfHours, rollUp } from '../../store/rollup/write-rollups.ts';
import type { JobContext } from '../core/context.ts';

/** Up to which time half hours of forecasts were removed. */
const DROPPED = 'rollup half hours dropped';

/** Of all pockets together, in one run: about what a run of a city of a thousand writes. */
const MOST_DROPPED = 2_000;

/**
 * Rolls up the half hours that are settled; those that an outage left behind are caught up with. What has become old
 * enough to be days is dropped: one half hour for each that is added, and more where an older version left them all.
 */
export async function rollUpPeriods({ tx, zone, registry, state, slot }: JobContext): Promise<void> {
  await rollUp(tx, zone, slot);
  await state.load(tx, [DROPPED]);
  const after = state.get<number>(DROPPED);
  const most = Math.max(2, Math.floor(MOST_DROPPED / registry.pockets.length));
  const until = await dropHalfHours(tx, zone, { after, most });
  if (until !== after) state.set(DROPPED, until);
}
