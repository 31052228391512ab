// The service worker: keeps a copy of every visited page and shows it, marked as old and without what it said of the
// present, while there is no connection or the service fails. It answers nothing else: no address under /api, no request
// that writes, no card for other sites. The server puts VERSION (a hash of the assets), ASSETS (their addresses), STYLE
// (the stylesheet of pages, and its hash for the content security policy) and outage-words.js before this text.
/* global VERSION, ASSETS, STYLE, outageText */

const PREFIX = 'pocketwatch-';
const CACHE = `${PREFIX}${VERSION}`;
const MAX_PAGES = 40;
const SAVED_AT = 'x-saved-at';

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (ASSETS.includes(pathname)) event.respondWith(assetFor(request));
  else if (isPage(request, pathname)) event.respondWith(pageFor(event));
});

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(ASSETS);
  await self.skipWaiting();
}

/** Drops the copies of earlier versions, which need scripts that are no longer kept, and saves the open pages. */
async function activate() {
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
  const open = await self.clients.matchAll({ type: 'window' });
  await Promise.allSettled(
    open.map(async ({ url }) => {
      const request = new Request(url, { headers: { accept: 'text/html' } });
      if (isPage(request, new URL(url).pathname)) await savePage(url, await fetch(request));
    }),
  );
}

/** A page that is visited, or that the script of an open page loads again. */
function isPage({ mode, destination, headers }, pathname) {
  if (/^\/(?:api|embed)\//.test(pathname) || destination === 'iframe') return false;
  return mode === 'navigate' || (headers.get('accept') ?? '').startsWith('text/html');
}

async function assetFor(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

async function pageFor(event) {
  const { request } = event;
  const response = await currentPage(request);
  if (response && response.status < 500) {
    event.waitUntil(savePage(request.url, response.clone()));
    return response;
  }
  // The script of an open page tells the outage itself: a copy would look like an answer.
  if (request.mode !== 'navigate') return response ?? Response.error();
  return (await savedPage(request.url)) ?? response ?? missingPage();
}

/** The server's reply, or undefined if there is none. */
async function currentPage(request) {
  try {
    // The browser's own cache must not answer without asking: nothing would say that the service is away.
    return await fetch(request, { cache: 'no-cache' });
  } catch {
    return undefined;
  }
}

const cacheKey = (url) => url.replace(/#.*/, '');

async function savePage(url, response) {
  if (!response.ok || !(response.headers.get('content-type') ?? '').startsWith('text/html')) return;
  const headers = new Headers(response.headers);
  // The browser's own cache may have answered: the date is that of the server's reply.
  headers.set(SAVED_AT, new Date(headers.get('date') ?? Date.now()).toISOString());
  // The copy is of the decoded body.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const cache = await caches.open(CACHE);
  // Deleted first, so that the keys are in the order in which pages were last saved.
  await cache.delete(cacheKey(url));
  await cache.put(cacheKey(url), new Response(await response.blob(), { headers }));
  const pages = (await cache.keys()).filter((key) => !ASSETS.includes(new URL(key.url).pathname));
  await Promise.all(pages.slice(0, -MAX_PAGES).map((key) => cache.delete(key)));
}

async function savedPage(url) {
  const cache = await caches.open(CACHE);
  const saved = await cache.match(cacheKey(url), { ignoreVary: true });
  if (!saved) return undefined;
  const savedAt = saved.headers.get(SAVED_AT);
  const since = await lastAnswer(cache);
  const text = await saved.text();
  const note = outageText({
    online: navigator.onLine,
    since: Date.parse(since),
    savedAt: Date.parse(savedAt),
    live: /<main[^>]* data-live/.test(text),
    timeZone: /data-zone="([\w/+-]+)"/.exec(text)?.[1],
    now: Date.now(),
  });
  const region = `<p class="outage" role="status" data-online="${navigator.onLine}">${note}</p>`;
  const marked = text
    .replace('<p class="outage" role="status"></p>', '')
    .replace(
      /<main([^>]*)>/,
      (_, given) => `<main${given} data-stale data-saved="${savedAt}" data-since="${since}">\n${region}`,
    );
  return new Response(marked, { headers: saved.headers });
}

/** When the newest copy was saved: since then no page was answered. */
async function lastAnswer(cache) {
  const replies = await Promise.all(
    (await cache.keys()).map((key) => cache.match(key, { ignoreVary: true })),
  );
  const times = replies.map((reply) => reply?.headers.get(SAVED_AT)).filter(Boolean);
  return times.sort().at(-1);
}

function missingPage() {
  const heading = navigator.onLine ? 'The service is not answering' : 'You are offline';
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${heading} · pocketwatch</title>${STYLE.element}</head><body><header class="site"><a class="mark" href="/">pocketwatch</a></header><main><h1>${heading}</h1><p>This page was not saved on this device. Pages that you have visited can still be opened.</p></main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${STYLE.source}`,
  };
  return new Response(body, { status: 503, headers });
}
