// Progressive enhancement: the service worker keeps visited pages for when there is no connection. Browsers offer it on
// secure origins only; where it is refused, the site works as before.
navigator.serviceWorker?.register('/sw.js', { updateViaCache: 'none' }).catch(() => {});
