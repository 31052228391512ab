// One browser, and one service on an ordinary day, for all files of a process: starting a browser, a tab and a service takes
// longer than most visits. The files only read the service, and leave its clock where it is.
import { after, type TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { startService } from '../services/service.ts';
import { openSharedTab, type SharedTab, startBrowser } from './browser.ts';

const ends: (() => unknown)[] = [];
const atEnd = ((end: () => unknown) => void ends.unshift(end)) as TestContext['after'];
after(async () => {
  for (const end of ends) await end();
});

let browser: Promise<Browser> | undefined;
let day: ReturnType<typeof startService> | undefined;
let tabs: Promise<{ tab: SharedTab; tabWithoutScript: SharedTab }> | undefined;

export function sharedBrowser(): Promise<Browser> {
  if (!browser) {
    browser = startBrowser();
    atEnd(async () => (await browser)?.close());
  }
  return browser;
}

/** The service at noon, with the day before it. */
export function ordinaryDay(): ReturnType<typeof startService> {
  day ??= startService({ after: atEnd });
  return day;
}

export function sharedTabs(): Promise<{ tab: SharedTab; tabWithoutScript: SharedTab }> {
  tabs ??= openTabs();
  return tabs;
}

async function openTabs(): Promise<{ tab: SharedTab; tabWithoutScript: SharedTab }> {
  const browser = await sharedBrowser();
  return {
    tab: await openSharedTab(browser),
    tabWithoutScript: await openSharedTab(browser, { javaScriptEnabled: false }),
  };
}
