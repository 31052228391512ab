// One poll of a feed without the service's fetcher: asks as the adapter does, parses, and follows what the body lists.
import assert from 'node:assert/strict';
import type { Adapter, FeedRequest, ParsedFeed, Poll } from '../../../src/sources/core/adapter.ts';
import type { RowFault } from '../../../src/sources/core/measurement.ts';

const MOST_REQUESTS = 200;

export async function pollFeed<Settings>(
  adapter: Adapter<Settings>,
  settings: Settings,
  poll: Poll,
  headers: Record<string, string> = {},
): Promise<ParsedFeed> {
  const feed = { id: adapter.name, settings };
  const waiting: FeedRequest[] = adapter.requests(feed, poll);
  const measurements: ParsedFeed['measurements'] = [];
  const faults: Partial<Record<RowFault, number>> = {};
  for (let asked = 0; asked < MOST_REQUESTS; asked++) {
    const request = waiting.shift();
    if (!request) return { measurements, faults, next: [] };
    const response = await fetch(request.url, { headers: { ...request.headers, ...headers } });
    const body = new Uint8Array(await response.arrayBuffer());
    assert.equal(response.status, 200, `${request.url}: ${response.status}`);
    const parsed = adapter.parse(body, feed, request, poll);
    measurements.push(...parsed.measurements);
    for (const [name, count] of Object.entries(parsed.faults))
      faults[name as RowFault] = (faults[name as RowFault] ?? 0) + count;
    waiting.push(...parsed.next);
  }
  throw new Error(`more than ${MOST_REQUESTS} requests`);
}
