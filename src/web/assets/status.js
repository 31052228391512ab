// The status page: tells the day of a bar at the pointer, where it is tapped, or at the arrow keys' position, and gives
// the times of a gap by the reader's own clock where it differs from the city's. Listens on the document, so that it
// also works for content that live.js has replaced.

const words = { g: 'passing all day', '-': 'no record' };
const dayText = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The counts of the days that were not all passing are listed in their order: failures, warnings and results. */
function resultAt(strip, at) {
  const { states, counts, unit } = strip.dataset;
  const state = states[at];
  if (words[state]) return words[state];
  const before = [...states.slice(0, at)].filter((other) => other === 'a' || other === 'r').length;
  const [red, amber, all] = counts.split(' ')[before].split('/').map(Number);
  if (!unit) return red ? 'failing' : 'a warning';
  const found = [red && `failing in ${red}`, amber && `a warning in ${amber}`].filter(Boolean);
  return `${found.join(' and ')} of ${all} ${unit}`;
}

const chosen = new WeakMap();

function show(strip, at) {
  const last = strip.dataset.states.length - 1;
  const day = Math.min(last, Math.max(0, at));
  chosen.set(strip, day);
  const cursor = strip.querySelector('.cursor');
  cursor.setAttribute('x', 4 * day);
  strip.classList.add('chosen');
  const date = dayText.format(Date.parse(strip.dataset.first) + day * 86_400_000);
  strip.querySelector('.day').textContent = `${date}: ${resultAt(strip, day)}`;
}

function hide(strip) {
  strip.classList.remove('chosen');
  strip.querySelector('.day').textContent = '';
}

const eventStrip = ({ target }) => target.closest?.('.days svg')?.parentElement;

for (const kind of ['pointerdown', 'pointermove']) {
  document.addEventListener(kind, (event) => {
    const strip = eventStrip(event);
    if (!strip) return;
    const box = strip.querySelector('svg').getBoundingClientRect();
    show(strip, Math.floor(((event.clientX - box.left) / box.width) * strip.dataset.states.length));
  });
}
// What a finger shows stays: it leaves the bar at once.
document.addEventListener('pointerout', (event) => {
  const strip = eventStrip(event);
  if (strip && event.pointerType === 'mouse' && !strip.contains(event.relatedTarget)) hide(strip);
});
document.addEventListener('focusin', (event) => {
  const strip = eventStrip(event);
  if (strip) show(strip, chosen.get(strip) ?? strip.dataset.states.length - 1);
});
document.addEventListener('focusout', (event) => {
  const strip = eventStrip(event);
  if (strip) hide(strip);
});
document.addEventListener('keydown', (event) => {
  const strip = eventStrip(event);
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 }[event.key];
  if (!strip || step === undefined) return;
  event.preventDefault();
  show(strip, (chosen.get(strip) ?? 0) + step);
});

const zone = document.querySelector('[data-zone]')?.dataset.zone;
const clockIn = (timeZone) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });

function addOwnTimes() {
  for (const line of document.querySelectorAll('[data-own-from]')) {
    const { ownFrom, ownUntil } = line.dataset;
    const own = clockIn();
    if (own.format(Date.parse(ownFrom)) === clockIn(zone).format(Date.parse(ownFrom))) continue;
    const end = ownUntil ? `to ${own.format(Date.parse(ownUntil))}` : 'until now';
    line.textContent = `By your clock from ${own.format(Date.parse(ownFrom))} ${end}.`;
    line.hidden = false;
  }
}

if (zone) {
  addOwnTimes();
  const main = document.querySelector('main');
  if (main) new MutationObserver(addOwnTimes).observe(main, { childList: true });
}
