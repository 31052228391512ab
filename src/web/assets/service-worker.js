// The service worker: keeps a copy of every visited page and shows it, marked as old, while there is no connection.
// It answers nothing else: no address under /api, no request that writes, no frame on another site.
// The server puts VERSION (a hash of the assets), ASSETS (their addresses) and STYLE (the stylesheet of pages, and its
// hash for the content security policy) before this text.
/* global VERSION, ASSETS, STYLE */

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
  if (pathname.startsWith('/api/') || destination === 'iframe') return false;
  return mode === 'navigate' || (headers.get('accept') ?? '').startsWith('text/html');
}

async function assetFor(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request)) ?? fetch(request);
}

async function pageFor(event) {
  const { request } = event;
  try {
    // Without a connection the browser's own cache may still answer, and nothing would say that the page is old.
    const response = await fetch(request, navigator.onLine ? {} : { cache: 'no-cache' });
    event.waitUntil(savePage(request.url, response.clone()));
    return response;
  } catch {
    return (await savedPage(request.url)) ?? offlinePage();
  }
}

const keyOf = (url) => url.replace(/#.*/, '');

async function savePage(url, response) {
  if (!response.ok || !(response.headers.get('content-type') ?? '').startsWith('text/html')) return;
  const headers = new Headers(response.headers);
  // The browser's own cache may have answered: the date is that of the server's reply.
  headers.set(SAVED_AT, new Date(headers.get('date') ?? Date.now()).toISOString());
  // The copy is of the decoded body.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const cache = await caches.open(CACHE);
  // Deleted first, so that the keys are in the order in which pages were last saved.
  await cache.delete(keyOf(url));
  await cache.put(keyOf(url), new Response(await response.blob(), { headers }));
  const pages = (await cache.keys()).filter((key) => !ASSETS.includes(new URL(key.url).pathname));
  await Promise.all(pages.slice(0, -MAX_PAGES).map((key) => cache.delete(key)));
}

async function savedPage(url) {
  const cache = await caches.open(CACHE);
  const saved = await cache.match(keyOf(url), { ignoreVary: true });
  if (!saved) return undefined;
  const at = saved.headers.get(SAVED_AT);
  const shown = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const notice = `<p class="notice offline" role="status">You are offline. This page was saved ${ageOf(at)}, on <time datetime="${at}">${shown}</time> (your time), and may be out of date.</p>`;
  const text = await saved.text();
  return new Response(
    text.replace(/<main[^>]*>/, (main) => `${main}\n${notice}\n`),
    { headers: saved.headers },
  );
}

/** 'less than a minute ago', '5 minutes ago', '3 hours ago', '2 days ago'. */
function ageOf(at) {
  const minutes = Math.floor((Date.now() - Date.parse(at)) / 60_000);
  const [n, unit] =
    minutes < 60
      ? [minutes, 'minute']
      : minutes < 2_880
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1_440), 'day'];
  return n < 1 ? 'less than a minute ago' : `${n} ${unit}${n === 1 ? '' : 's'} ago`;
}

function offlinePage() {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Offline · pocketwatch</title>${STYLE.element}</head><body><header class="site"><a class="mark" href="/">pocketwatch</a></header><main><h1>You are offline</h1><p>This page was not saved on this device. Pages that you have visited can still be opened.</p></main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${STYLE.source}`,
  };
  return new Response(body, { status: 503, headers });
}
