/** What the feeds of a city gave, as a source: at each slot, what had been received by then. */

import type { Pocket } from '../../domain/city/city.ts';
import { type Feed, longestFresh } from '../core/feed.ts';
import { pocketSignals, type ReceivedMeasurement } from '../core/pocket-signals.ts';
import type { Source } from '../source.ts';

/** The measurements received in the `lookback` milliseconds up to `until`, oldest first. */
export type ReadReceived = (until: number, lookback: number) => Promise<ReceivedMeasurement[]>;

export function liveSource(
  pockets: readonly Pocket[],
  feeds: readonly Feed[],
  received: ReadReceived,
): Source {
  const signalsAt = pocketSignals(pockets, feeds);
  const lookback = longestFresh(feeds);
  return {
    substrate: 'live',
    observe: async (slot) => signalsAt(slot, await received(slot, lookback)),
  };
}
