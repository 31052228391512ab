// Removes what is old of what feeds gave, and forgets places that are gone with everything that was learned of them.
import { randomUUID } from 'node:crypto';
import { DAY } from '../../domain/time/slot.ts';
import { placeMemory } from '../../sources/core/place-limits.ts';
import { pruneBodies } from '../../store/feeds/archive.ts';
import { districtsWithForgotten, forgetPlaces, forgetSensorState } from '../../store/feeds/feed-places.ts';
import { pruneMeasurements } from '../../store/feeds/measurements.ts';
import { lockState, writeVersion } from '../../store/runtime/pipeline-state.ts';
import { PAST_PREFIX } from '../core/pocket-scales.ts';
import type { FeedContext } from './feed-context.ts';

export async function forgetOld(
  { store, keep }: Pick<FeedContext, 'store' | 'keep'>,
  now: number,
): Promise<void> {
  const { feed_days, archive_days, archive_bytes } = keep;
  await store.transaction(async (tx) => {
    await pruneMeasurements(tx, now - feed_days * DAY);
    await forgetPlaces(tx, now, placeMemory);
    await pruneBodies(tx, now - archive_days * DAY, archive_bytes);
  }, 'feeds');
  for (const district of await districtsWithForgotten(store, PAST_PREFIX))
    await store.transaction(async (tx) => {
      await lockState(tx, district);
      await forgetSensorState(tx, PAST_PREFIX, district);
      // Workers hold entries in memory: another version makes them read again.
      await writeVersion(tx, randomUUID(), district);
    }, 'feeds');
}
