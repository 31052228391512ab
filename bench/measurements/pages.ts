// What a page costs a visitor and the server: bytes, server time, and in a browser with the processor and the link of a
// phone the largest contentful paint and the layout shift. One address of every page, on weeks of history.
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openStore } from '../../src/store/engine/open.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { noBrowser, startBrowser } from '../../test/support/services/browser.ts';
import {
  type PageVisit,
  pageAddresses,
  type Throttle,
  visitPage,
} from '../../test/support/services/page-visits.ts';
import { browserHeaders } from '../../test/support/services/pages.ts';
import { type Bench, newStore, startService } from '../harness.ts';
import { formatFigure } from '../results.ts';
import { median, quantile } from '../rounds.ts';

/** The mobile profile of Lighthouse: "slow 4G", and a processor four times slower than this machine's. */
const phone: Throttle = { cpu: 4, latencyMs: 150, download: (1638.4 * 1000) / 8, upload: (750 * 1000) / 8 };
const VIEWPORT = { width: 360, height: 780 };

const MOST_KB = 100;
const MOST_SERVER_MS = 20;
const MOST_LCP_MS = 1_000;

/** The service reads the store's revision twice a second. */
const NOTICED_MS = 1_100;

const header = [
  'page',
  'requests',
  'KB sent',
  `KB (≤ ${MOST_KB})`,
  'computed, p50 ms',
  'p99',
  'cached, p50 ms',
  'p99',
  `server time (≤ ${MOST_SERVER_MS} ms)`,
  'LCP, ms',
  `(≤ ${MOST_LCP_MS / 1000} s)`,
  'layout shift (0)',
];

export async function measurePages(bench: Bench): Promise<string[][]> {
  const { dataDir } = await newStore(bench, 'sqlite');
  const { url } = await startService(bench, 'sqlite', bench.quick ? 2 : 28, { DATA_DIR: dataDir });
  const store = openStore({ dataDir, databaseUrl: undefined });
  bench.defer(() => store.close());
  const { found } = await pageAddresses(url);
  const times = await serverTimes(bench, url, [...found.values()], store);
  const visits = await browserVisits(bench, url, [...found.values()]);
  return [
    header,
    ...[...found].map(([pattern, address]) => rowOf(pattern, times.get(address), visits.get(address))),
  ];
}

interface ServerTimes {
  computed: number[];
  cached: number[];
}

/** Each round drops every cached answer, then requests each page twice. The order rotates: pages share some answers. */
async function serverTimes(
  { signal, quick }: Bench,
  url: string,
  addresses: readonly string[],
  store: Store,
): Promise<Map<string, ServerTimes>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map(addresses.map((address) => [address, { computed: [], cached: [] } as ServerTimes]));
  const rounds = quick ? 8 : 30;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      // An empty transaction is a new revision.
      await store.transaction(async () => undefined);
      await delay(NOTICED_MS, undefined, { signal });
      const first = (7 * round) % addresses.length;
      for (const address of [...addresses.slice(first), ...addresses.slice(0, first)]) {
        const computed = await msOf(agent, url + address);
        const cached = await msOf(agent, url + address);
        // The first round compiles the code.
        if (round === 0) continue;
        times.get(address)?.computed.push(computed);
        times.get(address)?.cached.push(cached);
      }
    }
  } finally {
    agent.destroy();
  }
  return times;
}

/** Milliseconds from the request to the end of the reply. */
function msOf(agent: Agent, address: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    get(address, { agent, headers: browserHeaders }, (reply) => {
      reply.on('error', reject).on('end', () => resolve(performance.now() - started));
      reply.resume();
    }).on('error', reject);
  });
}

/** The median visit of several, by its paint; none without a browser. */
async function browserVisits(
  { signal, quick, defer }: Bench,
  url: string,
  addresses: readonly string[],
): Promise<Map<string, PageVisit>> {
  const visits = new Map<string, PageVisit>();
  if (noBrowser) return visits;
  const browser: Browser = await startBrowser();
  defer(() => browser.close());
  for (const address of addresses) {
    const all: PageVisit[] = [];
    for (let n = 0; n < (quick ? 1 : 5); n += 1) {
      signal.throwIfAborted();
      all.push(await visitPage(browser, url + address, VIEWPORT, phone));
    }
    const middle = median(all.map(({ lcp }) => lcp));
    const visit = all.find(({ lcp }) => lcp === middle);
    if (visit) visits.set(address, { ...visit, layoutShift: Math.max(...all.map((one) => one.layoutShift)) });
  }
  return visits;
}

function rowOf(pattern: string, times: ServerTimes | undefined, visit: PageVisit | undefined): string[] {
  const { computed = [], cached = [] } = times ?? {};
  const kb = (bytes: number) => (bytes / 1000).toFixed(1);
  const loaded = visit
    ? [
        String(visit.requests),
        kb(visit.wireBytes),
        `${kb(visit.bytes)} ${verdict(visit.bytes, 1000 * MOST_KB)}`,
      ]
    : ['', '', ''];
  const painted = visit
    ? [
        formatFigure(visit.lcp),
        verdict(visit.lcp, MOST_LCP_MS),
        `${visit.layoutShift.toFixed(4)} ${verdict(visit.layoutShift, 0)}`,
      ]
    : [noBrowser || 'not painted', '', ''];
  return [
    `\`${pattern}\``,
    ...loaded,
    ...[median(computed), quantile(computed, 0.99), median(cached), quantile(cached, 0.99)].map(formatFigure),
    verdict(median(computed), MOST_SERVER_MS),
    ...painted,
  ];
}

const verdict = (value: number, most: number): string => (value <= most ? 'met' : 'missed');
