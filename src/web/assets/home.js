// Progressive enhancement of the first page: marks the same pocket in the list and on the map, pans and zooms the map,
// and sorts the list by the distance from the browser's position, which is used here and never sent.

const MAX_ZOOM = 12;
const NEAREST = 100;

/** The last known position; kept while the page is open, so that a reload of its content stays sorted. */
let position = null;

// ---- the same pocket in the list and on the map

const rowOf = (id) => document.getElementById(id);
const spotOf = (id) => document.querySelector(`svg.map a[href="#${CSS.escape(id)}"]`);

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
  rowOf(id)?.classList.add('marked');
  spotOf(id)?.classList.add('marked');
}
for (const kind of ['pointerover', 'focusin', 'click'])
  document.addEventListener(kind, (event) => mark(idAt(event.target)));

// ---- the map: drag, pinch, wheel with ctrl, arrow keys, + and -, buttons

function enableZoom(figure) {
  const svg = figure.querySelector('svg.map');
  const { width, height } = svg.viewBox.baseVal;
  let view = { x: 0, y: 0, zoom: 1 };

  const show = ({ x, y, zoom }) => {
    const [w, h] = [width / zoom, height / zoom];
    view = { x: Math.min(width - w, Math.max(0, x)), y: Math.min(height - h, Math.max(0, y)), zoom };
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${w} ${h}`);
    svg.style.setProperty('--zoom', zoom);
    svg.classList.toggle('zoomed', zoom > 1);
    showFitting(svg);
  };
  const unitsPerPixel = () => width / view.zoom / svg.getBoundingClientRect().width;
  /** The point of the map at a point of the screen. */
  const pointAt = ({ clientX, clientY }) => {
    const box = svg.getBoundingClientRect();
    return [view.x + (clientX - box.left) * unitsPerPixel(), view.y + (clientY - box.top) * unitsPerPixel()];
  };
  /** Zooms so that the given point of the map stays where it is. */
  const zoomBy = (factor, [px, py] = [view.x + width / view.zoom / 2, view.y + height / view.zoom / 2]) => {
    const zoom = Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor));
    const share = view.zoom / zoom;
    show({ x: px - (px - view.x) * share, y: py - (py - view.y) * share, zoom });
  };
  const panBy = (right, down) => show({ ...view, x: view.x + right, y: view.y + down });

  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  let dragged = 0;
  svg.addEventListener('pointerdown', (event) => {
    fingers.set(event.pointerId, event);
    dragged = 0;
  });
  svg.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    if (fingers.size === 2) {
      const was = spread();
      fingers.set(event.pointerId, event);
      zoomBy(spread() / was, pointAt(event));
    } else if (view.zoom > 1) {
      dragged += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
      // Captured only once it is a drag, so that a click still reaches its link.
      if (dragged > 6) svg.setPointerCapture(event.pointerId);
      const scale = unitsPerPixel();
      fingers.set(event.pointerId, event);
      panBy((before.clientX - event.clientX) * scale, (before.clientY - event.clientY) * scale);
    }
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  svg.addEventListener('dragstart', (event) => event.preventDefault());
  svg.addEventListener('click', (event) => dragged > 6 && event.preventDefault());
  svg.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoomBy(event.deltaY < 0 ? 1.25 : 0.8, pointAt(event));
    },
    { passive: false },
  );
  figure.addEventListener('keydown', (event) => {
    const step = width / view.zoom / 8;
    const moves = {
      ArrowLeft: () => panBy(-step, 0),
      ArrowRight: () => panBy(step, 0),
      ArrowUp: () => panBy(0, -step),
      ArrowDown: () => panBy(0, step),
      '+': () => zoomBy(1.5),
      '=': () => zoomBy(1.5),
      '-': () => zoomBy(1 / 1.5),
      0: () => show({ x: 0, y: 0, zoom: 1 }),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  });
  svg.addEventListener('focusin', ({ target }) => {
    // A spot that is reached with the keyboard is brought into view.
    const at = target.closest('a.spot')?.transform.baseVal[0]?.matrix;
    if (!at || view.zoom === 1 || !target.matches(':focus-visible')) return;
    show({ ...view, x: at.e - width / view.zoom / 2, y: at.f - height / view.zoom / 2 });
  });

  const tools = document.createElement('div');
  tools.className = 'map-tools';
  tools.setAttribute('role', 'group');
  tools.setAttribute('aria-label', 'Map: arrow keys move it, + and - zoom');
  const tool = (text, label, act) => {
    const button = buttonOf(text, act);
    button.setAttribute('aria-label', label);
    tools.append(button);
  };
  tool('+', 'Zoom in', () => zoomBy(1.5));
  tool('−', 'Zoom out', () => zoomBy(1 / 1.5));
  tool('Reset', 'Reset the map', () => show({ x: 0, y: 0, zoom: 1 }));
  figure.append(tools);
  showFitting(svg);
}

/** Places of a label beside its mark. */
const sides = [
  [0, -12, 'middle'],
  [11, 4, 'start'],
  [-11, 4, 'end'],
  [0, 19, 'middle'],
];

/** Labels that had no room on the narrowest phone are shown where they have it: on a wider screen, or zoomed in. */
function showFitting(svg) {
  const extras = [...svg.querySelectorAll('.extra')];
  for (const text of extras) text.classList.remove('fits');
  const boxOf = (element) => element.getBoundingClientRect();
  const taken = [...svg.querySelectorAll('text:not(.extra), .shape')].map(boxOf);
  const edge = boxOf(svg);
  const isFree = ({ left, right, top, bottom }) =>
    left >= edge.left &&
    right <= edge.right &&
    !taken.some((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top);
  for (const text of extras) {
    const mark = text.previousElementSibling.transform.baseVal[0]?.matrix ?? { e: 0, f: 0 };
    for (const [right, down, anchor] of sides) {
      text.setAttribute('x', mark.e + right);
      text.setAttribute('y', mark.f + down);
      text.setAttribute('text-anchor', anchor);
      const box = boxOf(text);
      if (!isFree(box)) continue;
      text.classList.add('fits');
      taken.push(box);
      break;
    }
  }
}

function buttonOf(text, act) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'plain';
  button.textContent = text;
  button.addEventListener('click', act);
  return button;
}

// ---- near me

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

function addNearMe(form) {
  const status = form.querySelector('[role=status]');
  const locate = () => {
    status.textContent = 'Looking for the position of this device …';
    if (!navigator.geolocation) return fail();
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        position = { lat: coords.latitude, lng: coords.longitude };
        sortByDistance().then(() => {
          status.textContent = 'Nearest first. The position is used in this page only and never sent.';
        }, fail);
      },
      fail,
      { maximumAge: 300_000, timeout: 15_000 },
    );
  };
  const fail = () => {
    status.textContent = 'The position is not known: the browser did not give it.';
  };
  form.querySelector('.near').addEventListener('click', locate);
}

async function sortByDistance() {
  const list = document.querySelector('ol.places');
  if (!list) return;
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

function shortRow({ pocket_id, name, region, lat, lng, primary_state, calm_level }) {
  const row = document.createElement('li');
  row.id = `p-${pocket_id}`;
  row.dataset.at = `${lat},${lng}`;
  const [heading, link, small, now] = ['h3', 'a', 'small', 'p'].map((name) => document.createElement(name));
  link.href = `/pocket/${pocket_id}`;
  link.textContent = name;
  small.textContent = region;
  now.className = 'now';
  now.textContent = primary_state
    ? `${primary_state.replace('-', ' and ')}, calm level ${calm_level}`
    : 'Not enough recent data';
  heading.append(link, ' ', small);
  row.append(heading, now);
  return row;
}

// ---- start, and again after page.js has replaced the content

function enhance() {
  const figure = document.querySelector('figure[data-map]:not([data-ready])');
  if (figure) {
    figure.setAttribute('data-ready', '');
    enableZoom(figure);
  }
  const form = document.querySelector('form.ask:not([data-ready])');
  if (!form) return;
  form.setAttribute('data-ready', '');
  addNearMe(form);
  if (position) sortByDistance();
}

enhance();
const main = document.querySelector('main');
if (main) new MutationObserver(enhance).observe(main, { childList: true });
