// What clients ask of a service under soak: every page and address, every tool, live streams and submissions, all at
// once, each from a stated number of clients that ask again after a short pause.
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { allEndpoints } from '../../test/support/answers/openapi-document.ts';
import { requiredArguments, toolTable } from '../../test/support/answers/tool-table.ts';
import { pageAddresses } from '../../test/support/browser/page-visits.ts';
import { prediction, submission } from '../../test/support/rows/benchmark-submission.ts';
import { ask, post } from '../../test/support/services/http-client.ts';
import { browserHeaders } from '../../test/support/services/pages.ts';
import { openStream } from '../../test/support/services/stream-client.ts';

const READERS = 4;
const CALLERS = 2;
const SUBMITTERS = 1;
const STREAMS = 50;
const PAUSE_MS = 10;
const SUBMISSION_PAUSE_MS = 500;
/** A stream is held for this long, so that streams are opened and closed all the while. */
const STREAM_MS = 20_000;

export interface LoadCounts {
  reads: number;
  calls: number;
  submissions: number;
  streams: number;
  /** Answers that no client should get from a healthy service, and requests without an answer. */
  failed: number;
}

export interface LoadTarget {
  url: string;
  /** The service's own time. */
  now: () => number;
  pockets: readonly string[];
}

/** Asks until the signal aborts; the counts go up meanwhile. */
export async function runLoad(target: LoadTarget, counts: LoadCounts, signal: AbortSignal): Promise<void> {
  const addresses = await readAddresses(target);
  const clients = [
    ...several(READERS, (n) => read(target, addresses, n, counts, signal)),
    ...several(CALLERS, (n) => call(target, n, counts, signal)),
    ...several(SUBMITTERS, () => submit(target, counts, signal)),
    ...several(STREAMS, (n) => stream(target, n, counts, signal)),
  ];
  await Promise.all(clients);
}

const several = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

/** Addresses without parameters, those of every pocket, and a page of every kind. */
async function readAddresses({ url, pockets }: LoadTarget): Promise<string[]> {
  const endpoints = await allEndpoints(url);
  const plain = endpoints
    .filter(
      ({ method, path, operationId }) =>
        method === 'get' && !path.includes('{') && !/stream_live/.test(operationId),
    )
    .map(({ path }) => path);
  const { found } = await pageAddresses(url);
  const ofPockets = pockets.flatMap((pocket) => [
    `/pocket/${pocket}`,
    `/api/atmosphere?pocket=${pocket}`,
    `/api/predictions?pocket=${pocket}&limit=100`,
    `/api/counterfactuals?pocket=${pocket}`,
    `/api/pocket-live?pocket=${pocket}`,
  ]);
  return [...new Set([...plain, ...found.values(), ...ofPockets])].filter((path) => !path.includes('/live'));
}

/** Whatever happens to one request, the client goes on. */
async function repeat(
  once: () => Promise<number>,
  pause: number,
  kind: Exclude<keyof LoadCounts, 'failed'>,
  counts: LoadCounts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const status = await once().catch(() => 599);
    if (signal.aborted) return;
    counts[kind] += 1;
    // 503 is how a heavy answer is put off, and a page that does not exist yet is 404.
    if (status >= 500 && status !== 503) counts.failed += 1;
    await delay(pause);
  }
}

/** Each reader begins elsewhere; a query that nobody reads makes an address of its own now and then, as crawlers do. */
function read(
  { url }: LoadTarget,
  addresses: readonly string[],
  n: number,
  counts: LoadCounts,
  signal: AbortSignal,
) {
  let at = Math.floor((n * addresses.length) / READERS);
  return repeat(
    async () => {
      const address = addresses[at++ % addresses.length] ?? '/';
      const query = at % 7 === 0 ? `${address.includes('?') ? '&' : '?'}n=${at}` : '';
      return (await ask(url + address + query, { headers: at % 2 ? browserHeaders : {} })).status;
    },
    PAUSE_MS,
    'reads',
    counts,
    signal,
  );
}

function call({ url }: LoadTarget, n: number, counts: LoadCounts, signal: AbortSignal) {
  const tools = Object.keys(toolTable).filter((name) => name !== 'submit_benchmark_predictions');
  let at = Math.floor((n * tools.length) / CALLERS);
  return repeat(
    async () => {
      const name = tools[at++ % tools.length] ?? '';
      const params = { name, arguments: requiredArguments(name) };
      return (await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: at, method: 'tools/call', params })).status;
    },
    PAUSE_MS,
    'calls',
    counts,
    signal,
  );
}

function submit({ url, now, pockets }: LoadTarget, counts: LoadCounts, signal: AbortSignal) {
  let n = 0;
  return repeat(
    async () => {
      const pocket_id = pockets[n++ % pockets.length];
      const body = submission({
        submitter_name: `system ${n % 20}`,
        prediction_window_start: iso(now()),
        prediction_window_end: iso(now() + 2 * HOUR),
        predictions: [{ ...prediction, pocket_id }],
      });
      return (await post(`${url}/api/benchmark/submit`, body, { 'idempotency-key': `soak ${n}` })).status;
    },
    SUBMISSION_PAUSE_MS,
    'submissions',
    counts,
    signal,
  );
}

function stream({ url }: LoadTarget, n: number, counts: LoadCounts, signal: AbortSignal) {
  return repeat(
    async () => {
      const { status, cut } = await openStream(`${url}/api/stream/live`);
      await delay(STREAM_MS + 100 * n, undefined, { signal }).catch(() => undefined);
      cut();
      return status;
    },
    PAUSE_MS,
    'streams',
    counts,
    signal,
  );
}
