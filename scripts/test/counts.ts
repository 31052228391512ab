// A reporter for the runner: how many tests of a process passed, failed and were skipped, and how long each file took,
// as one line of JSON.
import type { EventData } from 'node:test';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Milliseconds of each file's tests. */
  durations: Record<string, number>;
}

type Event =
  | { type: 'test:summary'; data: EventData.TestSummary }
  | { type: 'test:pass'; data: EventData.TestPass }
  | { type: 'test:fail'; data: EventData.TestFail }
  | { type: ''; data: unknown };

export default async function* counts(events: AsyncIterable<Event>): AsyncGenerator<string> {
  const durations: Record<string, number> = {};
  // A suite that a helper made has the helper's file; its tests, which are told before it, have their own.
  let inner: string | undefined;
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      if (data.nesting > 0) inner = testFile(data.file) ?? inner;
      else {
        const file = testFile(data.file) ?? inner ?? data.file;
        if (file !== undefined) durations[file] = (durations[file] ?? 0) + data.details.duration_ms;
        inner = undefined;
      }
    }
    if (type !== 'test:summary' || data.file) continue;
    const { tests, passed, skipped, todo } = data.counts;
    const failed = tests - passed - skipped - todo;
    yield JSON.stringify({ passed, failed, skipped, durations } satisfies Counts);
  }
}

const testFile = (file: string | undefined): string | undefined =>
  file?.endsWith('.test.ts') ? file : undefined;
