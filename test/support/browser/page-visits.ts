// Opens pages in a browser and measures them: what they load, when the largest part is painted, and what
// moves. For the browser tests and for the bench.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { allEndpoints } from '../answers/openapi-document.ts';
import { getPage } from '../services/pages.ts';
import { openPage } from './browser.ts';

export interface PageAddresses {
  /** An address of every page, by its pattern. */
  found: Map<string, string>;
  /** The patterns of pages that no link leads to. */
  missing: string[];
}

/** Follows the links and forms of the first page of every pattern; `seeds` are tried before them. */
export async function pageAddresses(url: string, seeds: readonly string[] = []): Promise<PageAddresses> {
  const gets = (await allEndpoints(url)).filter(({ method }) => method === 'get');
  const patterns = gets
    .map(({ path, operationId, responses }) => ({
      path,
      isPage: 'text/html' in (responses['200']?.content ?? {}),
      // The rest of the path is one parameter of the docs; elsewhere a parameter is one segment.
      matcher: new RegExp(`^${path.replaceAll(/{\w+}/g, operationId === 'docs_address' ? '.+' : '[^/]+')}$`),
      variables: path.split('{').length - 1,
    }))
    .toSorted((a, b) => a.variables - b.variables);
  const pages = patterns.filter(({ isPage }) => isPage);
  const found = new Map<string, string>();
  const waiting = [...seeds, ...pages.filter(({ variables }) => !variables).map(({ path }) => path)];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const [path = ''] = address.split('?');
    const pattern = patterns.find(({ matcher }) => matcher.test(path));
    if (!pattern?.isPage || found.has(pattern.path)) continue;
    const { status, text } = await getPage(url + address);
    if (status !== 200) continue;
    found.set(pattern.path, address);
    for (const [, link = ''] of text.matchAll(/ (?:href|action)="(\/[^"#]*)/g))
      waiting.push(link.replaceAll('&amp;', '&'));
  }
  return { found, missing: pages.map(({ path }) => path).filter((path) => !found.has(path)) };
}

/** What a link and a device do to a visit. */
export interface Throttle {
  /** How many times slower the processor is. */
  cpu: number;
  /** Milliseconds from the request to the first byte of the reply, for every request. */
  latencyMs: number;
  /** Bytes per second. */
  download: number;
  upload: number;
}

export interface PageVisit {
  requests: number;
  /** Bytes of all bodies as they were sent, and as the browser used them. */
  wireBytes: number;
  bytes: number;
  /** What the first paint waited for, beside the page itself. */
  renderBlocking: string[];
  /** Largest contentful paint, in milliseconds since the start of the visit. */
  lcp: number;
  /** Cumulative layout shift; 0 is none. */
  layoutShift: number;
  /** The elements that moved. */
  moved: string[];
}

/** Defines `pageChecks` in the page that is open. */
const checks = readFileSync(join(import.meta.dirname, 'page-checks.js'), 'utf8');

/** Calls a function of page-checks.js in the page that is open. */
export async function checkPage<T>(page: Page, name: string, ...args: readonly unknown[]): Promise<T> {
  await page.evaluate(checks);
  return (await page.evaluate(`pageChecks.${name}(...${JSON.stringify(args)})`)) as T;
}

/** What the browser recorded of the page that is open. */
export const recordedVisit = (page: Page): Promise<PageVisit> => checkPage(page, 'recordedVisit');

/** A first visit: nothing is cached. */
export async function visitPage(
  browser: Browser,
  address: string,
  viewport: { width: number; height: number },
  throttle: Throttle,
): Promise<PageVisit> {
  const { page } = await openPage(browser, { viewport });
  try {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle.cpu });
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: throttle.latencyMs,
      downloadThroughput: throttle.download,
      uploadThroughput: throttle.upload,
    });
    await page.goto(address);
    return await recordedVisit(page);
  } finally {
    await page.context().close();
  }
}
