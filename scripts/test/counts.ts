// A reporter for the runner: how many tests of a process passed, failed and were skipped, as one line of JSON.
import type { EventData } from 'node:test';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

type Event = { type: 'test:summary'; data: EventData.TestSummary } | { type: ''; data: unknown };

export default async function* counts(events: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:summary' || data.file) continue;
    const { tests, passed, skipped, todo } = data.counts;
    yield JSON.stringify({ passed, failed: tests - passed - skipped - todo, skipped } satisfies Counts);
  }
}
