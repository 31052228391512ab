// On pages about the present: reloads the content when a new reading is due, and hides what it says of the present while
// there is no answer. The server puts outage-words.js before this text.
/* global outageText */

const QUARTER_HOUR = 15 * 60_000;
/** A reading needs some seconds to be written; the random part spreads the requests of many visitors. */
const nextReading = () =>
  Date.now() - (Date.now() % QUARTER_HOUR) + QUARTER_HOUR + 8_000 + Math.random() * 12_000;
/** The clock is compared often, because a timer stands still while a computer sleeps. */
const CHECK_MS = 5_000;
const REPLY_MS = 10_000;

/** A reading may be late: the page is requested a few times. Without an answer it is requested until there is one. */
const RETRY_MS = 30_000;
const MAX_TRIES = 6;

const main = document.querySelector('main');
const outageNote = main.querySelector('.outage');
/** The content as the server sent it: this script runs before those that add to it. */
let shown = main.innerHTML;
/** When the service last answered, and when it is asked again. */
let answeredAt = Date.now();
let dueAt = nextReading();
let tries = 0;
let isLoading = false;

function keepCurrent() {
  const { saved, since } = main.dataset;
  if (saved) {
    answeredAt = Date.parse(since);
    dueAt = Date.now() + RETRY_MS;
  } else if (performance.getEntriesByType('navigation')[0]?.type === 'back_forward') {
    // On the way back the browser may show what it kept, however old.
    answeredAt = history.state?.answeredAt ?? answeredAt;
    dueAt = Date.now();
  }
  rememberAnswer();
  setInterval(reloadIfDue, CHECK_MS);
  document.addEventListener('visibilitychange', reloadIfDue);
  addEventListener('pageshow', reloadIfDue);
  for (const kind of ['online', 'offline'])
    addEventListener(kind, () => {
      if (!main.hasAttribute('data-stale')) return;
      tellOutage();
      dueAt = Date.now();
      reloadIfDue();
    });
}

/** For a page that the browser shows again later. */
const rememberAnswer = () => history.replaceState({ ...history.state, answeredAt }, '');

function reloadIfDue() {
  if (!isLoading && document.visibilityState !== 'hidden' && Date.now() >= dueAt) reload();
}

async function reload() {
  isLoading = true;
  const next = await requestContent();
  isLoading = false;
  if (!next) {
    tellOutage();
    dueAt = Date.now() + RETRY_MS * (1 + Math.random());
    return;
  }
  answeredAt = Date.now();
  rememberAnswer();
  tries += 1;
  const isDone = showContent(next) || tries >= MAX_TRIES;
  if (isDone) tries = 0;
  dueAt = isDone ? nextReading() : Date.now() + RETRY_MS;
}

/** The content of the current page; undefined without an answer in time, or with an error in its place. */
async function requestContent() {
  const abort = new AbortController();
  const limit = setTimeout(() => abort.abort(), REPLY_MS);
  try {
    const response = await fetch(location.href, {
      headers: { accept: 'text/html' },
      cache: 'no-cache',
      signal: abort.signal,
    });
    if (!response.ok) return undefined;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    return page.querySelector('main') ?? undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(limit);
  }
}

/** Replaces the content with that of the current page. False if it has not changed, or is in use. */
function showContent(next) {
  const isStale = main.hasAttribute('data-stale');
  const isNew = next.innerHTML !== shown;
  const focused = document.activeElement;
  const isUsed = main !== focused && main.contains(focused);
  // Replacing the content takes the focus away from somebody who is using it: it waits, but not for ever.
  if (isNew && isUsed && !isStale && tries < MAX_TRIES) return false;
  if (isNew) {
    shown = next.innerHTML;
    const opened = [...main.querySelectorAll('details')].map(({ open }) => open);
    // Those that the reader chose; what is chosen at first may be another on the new page.
    const chosen = [...main.querySelectorAll('[type=radio]:checked:not([checked])')].map(({ id }) => id);
    main.replaceChildren(
      outageNote,
      ...[...next.childNodes].filter((node) => node !== next.querySelector('.outage')),
    );
    for (const [at, details] of main.querySelectorAll('details').entries())
      details.open = opened[at] ?? false;
    for (const id of chosen) main.querySelector(`#${id}`)?.click();
    if (isUsed) ((focused.id && document.getElementById(focused.id)) || main).focus({ preventScroll: true });
  }
  for (const name of ['stale', 'saved', 'since']) delete main.dataset[name];
  outageNote.textContent = '';
  return isNew;
}

/** Says since when there is no answer, once; the stylesheet hides what was said of the present. */
function tellOutage() {
  const { saved } = main.dataset;
  const text = outageText({
    online: navigator.onLine,
    since: answeredAt,
    savedAt: saved ? Date.parse(saved) : null,
    live: true,
    timeZone: document.querySelector('[data-zone]')?.dataset.zone,
    now: Date.now(),
  });
  main.dataset.stale = '';
  // The age of a saved page is told as it was when it was opened.
  if (saved && outageNote.dataset.online === String(navigator.onLine)) return;
  outageNote.dataset.online = navigator.onLine;
  if (outageNote.textContent !== text) outageNote.textContent = text;
}

keepCurrent();
