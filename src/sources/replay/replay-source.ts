/** Recorded measurements as a source: at each slot, what had been known by then. Slots must be asked for in order. */

import type { Pocket } from '../../domain/city/city.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { FeedShapeError } from '../core/adapter.ts';
import { type Feed, longestFresh } from '../core/feed.ts';
import type { SensorRun } from '../core/frozen.ts';
import { isOverCapacity, isUsed, judgeRows, type TimedRow, withSaid } from '../core/meaning/judge-rows.ts';
import { countFault, type FaultCounts, type Measurement } from '../core/measurement.ts';
import { placeFinder } from '../core/place.ts';
import { type Admit, admitRows, noPlaces, placeLimits } from '../core/place-limits.ts';
import { pocketSignals, type ReceivedMeasurement } from '../core/pocket-signals.ts';
import { rowPosition } from '../core/rows/position.ts';
import type { Source } from '../source.ts';

/** What was read and not used, for the report at the end. */
export interface ReplayCounts {
  used: number;
  /** Rows of feeds or fields that the city does not use, by feed and field. */
  unused: Map<string, number>;
  /** Rows of the city's fields that say nothing, by reason. */
  faults: FaultCounts;
}

export const noCounts = (): ReplayCounts => ({ used: 0, unused: new Map(), faults: {} });

/** A feed of the replay, with what is remembered of its sensors and the rows that wait to be judged. */
interface ReplayedFeed {
  feed: Feed;
  runs: Map<string, SensorRun>;
  waiting: TimedRow<Measurement>[];
  admit: Admit;
}

/** Of a recording every place is remembered to its end, so that only their number is bounded, not that of rows. */
const replayLimits = { ...placeLimits, rows: Infinity, of_sensor: Infinity };
/** Names of feeds and fields that are not used; the rest are counted together. */
const MOST_UNUSED = 1000;

/** `rows` in order of time, as `mergeByTime` gives them. */
export function replaySource(
  pockets: readonly Pocket[],
  feeds: readonly Feed[],
  rows: AsyncIterable<Measurement>,
  counts: ReplayCounts = noCounts(),
): Source {
  const signalsAt = pocketSignals(pockets, feeds);
  const find = placeFinder(pockets);
  const replayed = new Map<string, ReplayedFeed>(
    feeds.map((feed) => [
      feed.id,
      { feed, runs: new Map(), waiting: [], admit: admitRows(feed, noPlaces, replayLimits) },
    ]),
  );
  const lookback = longestFresh(feeds);
  const reader = rows[Symbol.asyncIterator]();
  let buffer: ReceivedMeasurement[] = [];
  /** The first row that was not known yet at the last slot. */
  let next: Measurement | undefined;
  let ended = false;
  /** The slot that the waiting rows are judged for: those of one slot are judged together, whenever it is asked for. */
  let judging = Number.NEGATIVE_INFINITY;

  const judge = (): void => {
    for (const { feed, runs, waiting } of replayed.values())
      for (const judged of judgeRows(waiting.splice(0), feed, runs)) {
        const { at, use, said, fault } = judged;
        if (fault) countFault(counts.faults, fault);
        if (isOverCapacity(judged)) countFault(counts.faults, 'over_capacity');
        if (said === undefined) continue;
        buffer.push({ ...withSaid(judged, said), received_at: at + (use.stamp_minutes ?? 0) * MINUTE });
      }
    buffer = buffer.filter(({ received_at }) => received_at >= judging - lookback);
  };

  /** Adds what was observed by `slot`. A count is known at the end of its interval, so it may wait in the buffer. */
  const readUntil = async (slot: number): Promise<void> => {
    while (!ended) {
      if (!next) {
        const { done, value } = await reader.next();
        if (done) ended = true;
        else next = value;
        continue;
      }
      const { observed_at } = next;
      if (observed_at !== null && observed_at > slot) break;
      const known = replayed.get(next.feed);
      if (known && isUsed(known.feed, next.field) && observed_at !== null) {
        counts.used += 1;
        if (observed_at > judging) {
          judge();
          judging = Math.ceil(observed_at / SLOT) * SLOT;
        }
        const { position, fault } = rowPosition(next, pockets);
        if (fault) countFault(counts.faults, 'bad_position');
        const row = fault ? { ...next, lat: position?.lat ?? null, lng: position?.lng ?? null } : next;
        const [nearest] = find(known.feed, row);
        const refused = nearest && known.admit(row, nearest.pocket_id);
        if (refused) countFault(counts.faults, refused);
        else if (nearest) known.waiting.push({ row, at: observed_at });
      } else {
        const named = `${next.feed} ${next.field}`;
        const isListed = counts.unused.has(named) || counts.unused.size < MOST_UNUSED;
        const name = isListed ? named : 'others';
        counts.unused.set(name, (counts.unused.get(name) ?? 0) + 1);
      }
      next = undefined;
    }
    judge();
  };

  return {
    substrate: 'replay',
    observe: async (slot) => {
      await readUntil(slot);
      return signalsAt(slot, buffer);
    },
  };
}

/** Several recordings, each in order of time, as one. Throws where one of them goes back in time. */
export async function* mergeByTime(
  recordings: readonly { name: string; rows: AsyncIterable<Measurement> }[],
): AsyncGenerator<Measurement> {
  const heads = await Promise.all(
    recordings.map(async ({ name, rows }) => {
      const reader = rows[Symbol.asyncIterator]();
      return { name, reader, next: await reader.next() };
    }),
  );
  const observedAt = (measurement: Measurement) => measurement.observed_at ?? Number.NEGATIVE_INFINITY;
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (!first || observedAt(head.next.value) < observedAt(first.next.value)) first = head;
    }
    if (!first) return;
    const { value } = first.next;
    yield value;
    first.next = await first.reader.next();
    if (!first.next.done && observedAt(first.next.value) < observedAt(value))
      throw new FeedShapeError(
        `${first.name} is not in order of time: ${new Date(observedAt(first.next.value)).toISOString()} comes after ${new Date(observedAt(value)).toISOString()}`,
      );
  }
}
