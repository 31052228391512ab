// What a page costs a visitor and the server: bytes, server time, and in a browser with the processor and the link of a
// phone the largest contentful paint and the layout shift. One address of every page, on weeks of history.
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Browser } from 'playwright-core';
import { median, quantile } from '../../scripts/quantiles.ts';
import { noBrowser, startBrowser } from '../../test/support/browser/browser.ts';
import {
  type PageVisit,
  pageAddresses,
  type Throttle,
  visitPage,
} from '../../test/support/browser/page-visits.ts';
import { browserHeaders } from '../../test/support/services/pages.ts';
import { ask, askInstrument, type Bench, type Size, start, type Target } from '../harness.ts';
import { formatFigure } from '../results.ts';

/** The mobile profile of Lighthouse: "slow 4G", and a processor four times slower than this machine's. */
const phone: Throttle = { cpu: 4, latencyMs: 150, download: (1638.4 * 1000) / 8, upload: (750 * 1000) / 8 };
const VIEWPORT = { width: 360, height: 780 };

const MOST_KB = 100;
const MOST_SERVER_MS = 20;
const MOST_LCP_MS = 1_000;

const header = [
  'page',
  'requests',
  'KB sent',
  'KB',
  `≤ ${MOST_KB} KB`,
  'computed, ms',
  'p99',
  'all threads',
  'cached, ms',
  'p99',
  `≤ ${MOST_SERVER_MS} ms`,
  'LCP, ms',
  `≤ ${MOST_LCP_MS / 1000} s`,
  'layout shift',
];

const historyDays: Record<Size, number> = { complete: 14, quick: 2, smallest: 1 };

export async function measurePages(bench: Bench): Promise<string[][]> {
  const child = start(bench, 'processes/page-service.ts', [`${historyDays[bench.size]}`]);
  const [{ url }] = (await once(child, 'message', { signal: bench.signal })) as [{ url: string }];
  const service = { url, process: child };
  const addresses =
    bench.size === 'smallest' ? new Map([['/about', '/about']]) : (await pageAddresses(url)).found;
  const times = await serverTimes(bench, service, [...addresses.values()]);
  const visits = await browserVisits(bench, url, [...addresses.values()]);
  return [
    header,
    ...[...addresses].map(([pattern, address]) => pageRow(pattern, times.get(address), visits.get(address))),
  ];
}

/** Milliseconds of each round. */
interface ServerTimes {
  computed: number[];
  /** The same with the threads on which V8 compiles and collects garbage. */
  allThreads: number[];
  cached: number[];
}

/** CPU time of the answering thread for an answer that it computes, and for the same answer from its cache. */
async function serverTimes(
  { signal, size }: Bench,
  service: Target,
  addresses: readonly string[],
): Promise<Map<string, ServerTimes>> {
  const times = new Map<string, ServerTimes>();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cpuTimes = async () => ({
    thread: await askInstrument(service, 'thread cpu time'),
    all: await askInstrument(service, 'cpu time'),
  });
  const measureRequest = async (address: string) => {
    const before = await cpuTimes();
    await request(agent, service.url + address);
    const { thread, all } = await cpuTimes();
    return { thread: (thread - before.thread) / 1000, all: (all - before.all) / 1000 };
  };
  const rounds = { complete: 30, quick: 10, smallest: 1 }[size];
  try {
    for (const address of addresses) {
      const found: ServerTimes = { computed: [], allThreads: [], cached: [] };
      // The first rounds compile the code.
      for (let round = size === 'smallest' ? 0 : -3; round < rounds; round += 1) {
        signal.throwIfAborted();
        await ask(service.process, 'drop');
        const [first, second] = [await measureRequest(address), await measureRequest(address)];
        if (round < 0) continue;
        found.computed.push(first.thread);
        found.allThreads.push(first.all);
        found.cached.push(second.thread);
      }
      times.set(address, found);
    }
  } finally {
    agent.destroy();
  }
  return times;
}

function request(agent: Agent, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: browserHeaders }, (reply) => {
      reply.on('error', reject).on('end', resolve);
      reply.resume();
    }).on('error', reject);
  });
}

/** The median visit of several, by its paint; none without a browser. */
async function browserVisits(
  { signal, size, defer }: Bench,
  url: string,
  addresses: readonly string[],
): Promise<Map<string, PageVisit>> {
  const visits = new Map<string, PageVisit>();
  if (noBrowser) return visits;
  const browser: Browser = await startBrowser([]);
  defer(() => browser.close());
  for (const address of addresses) {
    const all: PageVisit[] = [];
    for (let n = 0; n < (size === 'complete' ? 3 : 1); n += 1) {
      signal.throwIfAborted();
      all.push(await visitPage(browser, url + address, VIEWPORT, phone));
    }
    const middle = median(all.map(({ lcp }) => lcp));
    const visit = all.find(({ lcp }) => lcp === middle);
    if (visit) visits.set(address, { ...visit, layoutShift: Math.max(...all.map((one) => one.layoutShift)) });
  }
  return visits;
}

function pageRow(pattern: string, times: ServerTimes | undefined, visit: PageVisit | undefined): string[] {
  const { computed = [], allThreads = [], cached = [] } = times ?? {};
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  return [
    `\`${pattern}\``,
    ...(visit
      ? [`${visit.requests}`, kb(visit.wireBytes), kb(visit.bytes), verdict(visit.bytes, 1000 * MOST_KB)]
      : ['', '', '', '']),
    ...[median(computed), quantile(computed, 0.99), median(allThreads)].map(formatFigure),
    ...[median(cached), quantile(cached, 0.99)].map(formatFigure),
    verdict(median(allThreads), MOST_SERVER_MS),
    ...(visit
      ? [formatFigure(visit.lcp), verdict(visit.lcp, MOST_LCP_MS), visit.layoutShift.toFixed(4)]
      : [noBrowser || 'not painted', '', '']),
  ];
}

const verdict = (value: number, most: number): string => (value <= most ? 'met' : 'missed');
