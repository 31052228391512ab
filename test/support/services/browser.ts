// A real browser: the system's Chromium, driven by playwright-core. Without one, the tests that need it are reported as skipped.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const apps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function executable(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    process.env.CHROMIUM ?? '',
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...apps,
  ];
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return path !== '';
    } catch {
      return false;
    }
  });
}

const found = executable();
export const noBrowser = found ? false : 'no Chromium: install one, or name it in CHROMIUM';

/** Tests need no optimizing compilers: what they compile on one page is thrown away with it. The bench measures with them. */
const testArguments = ['--js-flags=--max-opt=1'];
/** Without a compositing thread a visit takes a quarter less of the processor; but touches and wheels hang. */
export const withoutGestures = [...testArguments, '--disable-threaded-compositing'];

/** One process is enough for all tests of a file; the caller closes it. */
export function startBrowser(browserArguments = testArguments): Promise<Browser> {
  return chromium.launch({
    ...(found && { executablePath: found }),
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...browserArguments],
  });
}

interface OpenedPage {
  page: Page;
  /** Errors and warnings of the console, uncaught exceptions, failed requests. */
  browserErrors: string[];
}

/**
 * Opens a page in a new browser context and collects its errors. A service worker would answer before the routes that a
 * test sets, so there is none unless `options` allow it.
 */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('Service Worker registration blocked')) return;
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(String(error)));
  page.on('requestfailed', (request) => {
    // The page was left while an icon was on its way.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') browserErrors.push(`failed: ${request.url()}`);
  });
  return { page, browserErrors };
}

export type SharedTab = (viewport: { width: number; height: number }) => Promise<OpenedPage>;

/**
 * Opens one tab for many tests, which make their visits one after the other: a new tab costs more than most visits, since
 * it starts a process of the browser. The function returned empties the tab for the next test: no page, route,
 * permission, colour scheme or error of the test before is left.
 */
export async function openSharedTab(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<SharedTab> {
  const { page, browserErrors } = await openPage(browser, options);
  return async (viewport) => {
    await page.unrouteAll();
    await page.context().clearPermissions();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('about:blank');
    await page.setViewportSize(viewport);
    browserErrors.length = 0;
    return { page, browserErrors };
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Only violations are reported, and by their markup; nothing is loaded, and frames are pages that are examined themselves. */
const axeOptions = { resultTypes: ['violations'], selectors: false, preload: false, iframes: false };

/** Elements by their tag, classes and role and those of their parent: what a rule of accessibility may look at. */
const shapes = `[...new Set([...document.querySelectorAll('body *')].map((element) => [element.parentElement, element]
  .map((one) => one.tagName + '.' + one.classList + (one.getAttribute('role') ?? '')).join(' > ')))]`;

/** What a browser shows may also depend on these. */
const media = `[innerWidth, matchMedia('(prefers-color-scheme: dark)').matches]`;

/** The shapes that had no fault, for each rule set, width and colour scheme. */
const examined = new Map<string, Set<string>>();

/**
 * Serious or critical violations found by axe-core, by all of its rules or by `rules`, each with its element. It takes
 * ten times as long as opening a page, so a page all of whose elements are like ones examined before is not examined.
 */
export async function accessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  const found = await page.evaluate<string[]>(shapes);
  const circumstances = JSON.stringify([rules, await page.evaluate(media)]);
  const known = examined.get(circumstances) ?? new Set();
  examined.set(circumstances, known);
  if (found.every((shape) => known.has(shape))) return [];
  const faults = await runAxe(page, rules);
  if (faults.length === 0) for (const shape of found) known.add(shape);
  return faults;
}

async function runAxe(page: Page, rules?: string[]): Promise<string[]> {
  // Loading axe-core takes as long as a short run of it.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  const options = { ...axeOptions, ...(rules && { runOnly: rules }) };
  return page.evaluate(async (options) => {
    type Found = { id: string; impact: string; nodes: { html: string }[] };
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Found[] }> };
    };
    const { violations } = await axe.run(options);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  }, options);
}
