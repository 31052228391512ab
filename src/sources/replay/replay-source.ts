/** Recorded measurements as a source: at each slot, what had been known by then. Slots must be asked for in order. */

import type { Pocket } from '../../domain/city/city.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Feed, FieldUse } from '../core/feed.ts';
import type { Measurement } from '../core/measurement.ts';
import { pocketSignals, type ReceivedMeasurement } from '../core/pocket-signals.ts';
import type { Source } from '../source.ts';

/** What was read and not used, for the report at the end. */
export interface ReplayCounts {
  used: number;
  /** Rows of feeds or fields that the city does not use, by feed and field. */
  unused: Map<string, number>;
}

/** `rows` in order of time, as `mergeByTime` gives them. */
export function replaySource(
  pockets: readonly Pocket[],
  feeds: readonly Feed[],
  rows: AsyncIterable<Measurement>,
  counts: ReplayCounts = { used: 0, unused: new Map() },
): Source {
  const signalsAt = pocketSignals(pockets, feeds);
  const fields = new Map<string, FieldUse>(
    feeds.flatMap(({ id, fields }) =>
      Object.entries(fields).map(([field, use]) => [`${id} ${field}`, use] as const),
    ),
  );
  const lookback = Math.max(0, ...[...fields.values()].map(({ fresh_minutes }) => fresh_minutes)) * MINUTE;
  const reader = rows[Symbol.asyncIterator]();
  let buffer: ReceivedMeasurement[] = [];
  /** The first row that was not known yet at the last slot. */
  let waiting: Measurement | undefined;
  let ended = false;

  /** Adds what was observed by `slot`. A count is known at the end of its interval, so it may wait in the buffer. */
  const readUntil = async (slot: number): Promise<void> => {
    while (!ended) {
      if (!waiting) {
        const { done, value } = await reader.next();
        if (done) ended = true;
        else waiting = value;
        continue;
      }
      const { observed_at } = waiting;
      if (observed_at !== null && observed_at > slot) return;
      const name = `${waiting.feed} ${waiting.field}`;
      const use = fields.get(name);
      if (use && observed_at !== null) {
        counts.used += 1;
        buffer.push({ ...waiting, received_at: observed_at + (use.stamp_minutes ?? 0) * MINUTE });
      } else counts.unused.set(name, (counts.unused.get(name) ?? 0) + 1);
      waiting = undefined;
    }
  };

  return {
    substrate: 'replay',
    observe: async (slot) => {
      await readUntil(slot);
      buffer = buffer.filter(({ received_at }) => received_at >= slot - lookback);
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
  const timeOf = (measurement: Measurement) => measurement.observed_at ?? Number.NEGATIVE_INFINITY;
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done) continue;
      if (!first || timeOf(head.next.value) < timeOf(first.next.value)) first = head;
    }
    if (!first) return;
    const { value } = first.next;
    yield value;
    first.next = await first.reader.next();
    if (!first.next.done && timeOf(first.next.value) < timeOf(value))
      throw new Error(
        `${first.name} is not in order of time: ${new Date(timeOf(first.next.value)).toISOString()} comes after ${new Date(timeOf(value)).toISOString()}`,
      );
  }
}
