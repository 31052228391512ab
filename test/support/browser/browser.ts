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

/**
 * Tests need no optimizing compilers: what they compile on one page is thrown away with it. Nor do they look at pixels: without
 * the emulation of a graphics card a visit takes a fifth less of the processor. The bench measures with both.
 */
const testArguments = ['--js-flags=--max-opt=1', '--disable-gpu'];

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

/**
 * Of the page that is open: what tells elements apart for a rule of accessibility (tag, classes and role, and those of the
 * parent), what rules ask of the page as a whole, and what else contrast and sizes depend on.
 */
const looks = `(() => {
  const named = (one) => one.tagName + '.' + one.classList + (one.getAttribute('role') ?? '');
  globalThis.shapeOf = (element) => named(element.parentElement) + ' > ' + named(element);
  const { documentElement: root, title, body } = document;
  return {
    shapes: [...new Set([...document.querySelectorAll('body *')].map(shapeOf))],
    whole: [root.lang, title !== '', body.ariaHidden, ...['main', '[http-equiv=refresh]', '.skip, [href="#main"]']
      .map((selector) => document.querySelector(selector) !== null)].join(),
    media: innerWidth + (matchMedia('(prefers-color-scheme: dark)').matches ? ' dark' : ' light'),
  };
})()`;

const WIDE = 600;
/** The only rules whose result depends on the colours, or on the width: the content is the same. */
const rulesOfPaint = ['color-contrast', 'target-size'];

/** The shapes that had no fault: by all rules, and by those of paint for each width and colour scheme. */
const examined = new Map<string, Set<string>>();
const examinedFor = (circumstances: string): Set<string> => {
  const known = examined.get(circumstances) ?? new Set();
  examined.set(circumstances, known);
  return known;
};

/**
 * Serious or critical violations found by axe-core, each with its element. It takes ten times as long as opening a page, so a
 * page all of whose elements are like ones examined before in this process is not examined again; and where only their
 * contrast and size may differ, only the elements are that were not examined at this width and in these colours.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { shapes, whole, media } = await page.evaluate<{ shapes: string[]; whole: string; media: string }>(
    looks,
  );
  const painted = examinedFor(media);
  // What was examined on a phone has the same content in a wide window; it is not so the other way round.
  const onPhone = examinedFor('all rules, on a phone');
  const here = Number.parseInt(media, 10) < WIDE ? onPhone : examinedFor('all rules, in a wide window');
  const all = [`the page: ${whole}`, ...shapes];
  const isKnown = all.every((one) => onPhone.has(one) || here.has(one));
  const fresh = shapes.filter((shape) => !painted.has(shape));
  if (isKnown && fresh.length === 0) return [];
  const faults = isKnown ? await runAxe(page, fresh, rulesOfPaint) : await runAxe(page);
  if (faults.length > 0) return faults;
  for (const one of all) here.add(one);
  for (const shape of shapes) painted.add(shape);
  return [];
}

/** Examines the page, or its elements of these shapes, by all rules or by these. */
async function runAxe(page: Page, shapes?: string[], rules?: string[]): Promise<string[]> {
  // Loading axe-core takes as long as a short run of it.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  const options = { ...axeOptions, ...(rules && { runOnly: rules }) };
  return page.evaluate(
    async ({ shapes, options }) => {
      type Found = { id: string; impact: string; nodes: { html: string }[] };
      const { axe, shapeOf, document } = globalThis as unknown as {
        axe: { run(context: object, options: object): Promise<{ violations: Found[] }> };
        shapeOf(element: unknown): string;
        document: { querySelectorAll(selector: string): Iterable<object> };
      };
      const include = [...document.querySelectorAll('body *')].filter((one) =>
        shapes?.includes(shapeOf(one)),
      );
      const { violations } = await axe.run(shapes ? { include } : document, options);
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
    },
    { shapes, options },
  );
}
