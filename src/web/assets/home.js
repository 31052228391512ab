// Progressive enhancement of the first page: marks the same pocket in the list and on the map, and sorts the list by the
// distance from the browser's position, which is used here and never sent.

const NEAREST = 100;

/** The last known position; kept while the page is open, so that a reload of its content stays sorted. */
let position = null;

// ---- the same pocket in the list and on the map

const pocketRow = (id) => document.getElementById(id);
const pocketSpot = (id) => document.querySelector(`svg.map a[href="#${CSS.escape(id)}"]`);

function idAt(target) {
  const spot = target.closest?.('svg.map a.spot');
  return spot ? spot.getAttribute('href').slice(1) : target.closest?.('ol.places > li')?.id;
}

let marked;
function mark(id) {
  if (id === marked) return;
  for (const element of document.querySelectorAll('.marked')) element.classList.remove('marked');
  marked = id;
  if (!id) return;
  pocketRow(id)?.classList.add('marked');
  pocketSpot(id)?.classList.add('marked');
}
for (const kind of ['pointerover', 'focusin', 'click'])
  document.addEventListener(kind, (event) => mark(idAt(event.target)));

// ---- nearest first

/** Metres between two points, on a plane: the distances are those of a city. */
function metresBetween(a, b) {
  const wide = Math.abs(a.lng - b.lng);
  const east = Math.min(wide, 360 - wide) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(a.lat - b.lat, east) * 111_195;
}

const distanceText = (metres) =>
  metres < 950
    ? `${Math.max(50, Math.round(metres / 50) * 50)} m away`
    : `${(metres / 1000).toFixed(1)} km away`;

/** Beyond this many metres no pocket is near. */
const FAR = 5_000;

/** The order "nearest first": the position stays in the browser, and the address says only that it is asked for. */
function orderByDistance(form) {
  const status = form.querySelector('[role=status]');
  const fail = () => {
    status.textContent =
      'Your position is not known: the browser did not share it. The list is sorted by name.';
  };
  const sorted = (nearest) => {
    status.textContent =
      nearest > FAR
        ? `No pocket is nearby: the nearest is ${distanceText(nearest)}.`
        : 'Nearest first. Your position is used on this page only and is never sent.';
  };
  if (position) return sortByDistance().then(sorted, fail);
  status.textContent = 'Finding your position …';
  if (!navigator.geolocation) return fail();
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      position = { lat: coords.latitude, lng: coords.longitude };
      sortByDistance().then(sorted, fail);
    },
    fail,
    { maximumAge: 300_000, timeout: 15_000 },
  );
}

async function sortByDistance() {
  const list = document.querySelector('ol.places');
  if (!list) return Infinity;
  // Only a part of a large city is in the page: the rest is read whole, so that the request does not tell the place.
  if (list.hasAttribute('data-part')) await listNearest(list);
  const rows = [...list.children].map((row) => {
    const [lat, lng] = row.dataset.at.split(',').map(Number);
    return { row, metres: metresBetween(position, { lat, lng }) };
  });
  rows.sort((a, b) => a.metres - b.metres);
  for (const { row, metres } of rows) {
    let far = row.querySelector('.far');
    if (!far) {
      far = document.createElement('small');
      far.className = 'far';
      row.querySelector('h3').append(' ', far);
    }
    far.textContent = distanceText(metres);
  }
  list.append(...rows.map(({ row }) => row));
  return rows[0]?.metres ?? Infinity;
}

/** Rows of the nearest pockets of the whole city, with what the network tells of each; they are not on the map. */
async function listNearest(list) {
  const response = await fetch('/api/network');
  if (!response.ok) throw new Error('no network');
  const { pockets } = await response.json();
  const nearest = pockets
    .map((pocket) => ({ pocket, metres: metresBetween(position, pocket) }))
    .sort((a, b) => a.metres - b.metres)
    .slice(0, NEAREST);
  const known = new Map([...list.children].map((row) => [row.id, row]));
  list.replaceChildren(
    ...nearest.map(({ pocket }) => known.get(`p-${pocket.pocket_id}`) ?? shortRow(pocket)),
  );
}

function shortRow({ pocket_id, name, region, lat, lng, primary_state }) {
  const row = document.createElement('li');
  row.id = `p-${pocket_id}`;
  row.dataset.at = `${lat},${lng}`;
  const [heading, link, small, now] = ['h3', 'a', 'small', 'p'].map((name) => document.createElement(name));
  link.href = `/pocket/${pocket_id}`;
  link.textContent = name;
  small.textContent = region;
  now.className = 'now';
  now.textContent = primary_state ? primary_state.replace('-', ' and ') : 'Not enough recent data';
  heading.append(link, ' ', small);
  row.append(heading, now);
  return row;
}

// ---- names to choose from while typing

/** Every name that the city's files list, in place of the pockets alone; loaded when a field is first used. */
let suggestions;
async function suggestNames() {
  suggestions ??= fetch('/names.json').then((reply) => (reply.ok ? reply.json() : []));
  const names = await suggestions.catch(() => []);
  const options = names.map(([value, label]) =>
    Object.assign(document.createElement('option'), label ? { value, label } : { value }),
  );
  if (options.length) document.getElementById('names')?.replaceChildren(...options);
}

// ---- start, and again after live.js has replaced the content

function enhance() {
  const form = document.querySelector('form.ask:not([data-ready])');
  if (!form) return;
  form.setAttribute('data-ready', '');
  for (const field of form.querySelectorAll('[list]'))
    field.addEventListener('focus', suggestNames, { once: true });
  if (new URLSearchParams(location.search).get('order') === 'near') orderByDistance(form);
}

enhance();
const main = document.querySelector('main');
if (main) new MutationObserver(enhance).observe(main, { childList: true });
