// Progressive enhancement of the map: it pans and zooms with mouse, fingers, keys and buttons. Marks and labels keep their
// size on the screen; map-labels.js places the labels at every event `mapview`.

/** Zoomed in farther than this, a map shows one name or none: so many times, or so many kilometres wide. */
const MAX_ZOOM = 12;
const LEAST_KM = 2.5;
/** Of a map without listed places, which shows nothing more when it is zoomed in. */
const BARE_ZOOM = 3;
const STEP = 1.5;
/** A finger that moves less, in px, has not moved. */
const SLOP = 10;

/** What was shown last, so that a reload of the page's content does not move the map. */
let last = null;

// ---- the view: which part of the map is shown

function enable(figure) {
  const svg = figure.querySelector('svg.map');
  const { width, height } = svg.viewBox.baseVal;
  // As far as the land is known; without land, as far as the map was drawn.
  const [left, top, wide, high] = (svg.dataset.bounds ?? `0 0 ${width} ${height}`).split(' ').map(Number);
  const whole = { x: 0, y: 0, zoom: 1 };
  const most = mostZoom(svg, width);
  const key = `${svg.getAttribute('viewBox')} ${svg.dataset.bounds}`;
  let view = whole;

  const tell = () =>
    svg.dispatchEvent(new CustomEvent('mapview', { bubbles: true, detail: { ...view, width, height } }));
  const show = ({ x, y, zoom }) => {
    const [w, h] = [width / zoom, height / zoom];
    const before = view;
    view = {
      x: Math.min(left + wide - w, Math.max(left, x)),
      y: Math.min(top + high - h, Math.max(top, y)),
      zoom,
    };
    svg.setAttribute('viewBox', `${view.x} ${view.y} ${w} ${h}`);
    svg.style.setProperty('--zoom', zoom);
    last = { key, view };
    showScale(view);
    tell();
    return before.x !== view.x || before.y !== view.y || before.zoom !== view.zoom;
  };
  const unitsPerPixel = () => width / view.zoom / svg.getBoundingClientRect().width;
  /** The point of the map at a point of the screen. */
  const pointAt = ({ clientX, clientY }) => {
    const box = svg.getBoundingClientRect();
    return [view.x + (clientX - box.left) * unitsPerPixel(), view.y + (clientY - box.top) * unitsPerPixel()];
  };
  /** Zooms so that the given point of the map stays where it is. */
  const zoomBy = (factor, [px, py] = [view.x + width / view.zoom / 2, view.y + height / view.zoom / 2]) => {
    const zoom = Math.min(most, Math.max(1, view.zoom * factor));
    const share = view.zoom / zoom;
    return show({ x: px - (px - view.x) * share, y: py - (py - view.y) * share, zoom });
  };
  const panBy = (right, down) => show({ ...view, x: view.x + right, y: view.y + down });
  const reset = () => show(whole);

  addTools(figure, zoomBy, reset);
  const showScale = scaleBar(svg, width);
  addPointers(svg, { zoomBy, panBy, pointAt, unitsPerPixel });
  addKeys(figure, { zoomBy, panBy, reset, step: () => width / view.zoom / 8 });
  svg.addEventListener('focusin', ({ target }) => {
    // A spot that is reached with the keyboard is brought into view.
    const at = target.closest('a.spot')?.transform.baseVal[0]?.matrix;
    if (!at || !target.matches(':focus-visible')) return;
    const [w, h] = [width / view.zoom, height / view.zoom];
    const isSeen = at.e > view.x && at.e < view.x + w && at.f > view.y && at.f < view.y + h;
    if (!isSeen || view.zoom > 1) show({ ...view, x: at.e - w / 2, y: at.f - h / 2 });
  });
  // Another width means another size of letters.
  new ResizeObserver(tell).observe(svg);
  show(last?.key === key ? last.view : whole);
}

function mostZoom(svg, width) {
  if (!svg.querySelector('.listed')) return BARE_ZOOM;
  const { dataset, children } = svg.querySelector('.scale');
  const [, drawn] = /v4h(\S+)v/.exec(children[0].getAttribute('d'));
  return Math.min(MAX_ZOOM, Math.max(BARE_ZOOM, (width / Number(drawn)) * (Number(dataset.km) / LEAST_KM)));
}

/** The bar of the scale stays in its corner, with the longest round length that fits. */
function scaleBar(svg, width) {
  const group = svg.querySelector('.scale');
  const [bar, text] = group.children;
  const [, from, y, drawn] = /^M(\S+) (\S+)v4h(\S+)v/.exec(bar.getAttribute('d')).map(Number);
  return (view) => {
    const perKm = (drawn / Number(group.dataset.km)) * view.zoom;
    const km = [20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05].find((one) => one * perKm <= width / 3) ?? 0.02;
    const length = km * perKm;
    bar.setAttribute('d', `M${from + drawn - length} ${y}v4h${length}v-4`);
    text.setAttribute('x', from + drawn - length / 2);
    text.textContent = km < 1 ? `${1000 * km} m` : `${km} km`;
    group.setAttribute('transform', `translate(${view.x} ${view.y}) scale(${1 / view.zoom})`);
  };
}

// ---- mouse and fingers

/**
 * A drag moves the map, two fingers move and zoom it. One finger that moves up or down scrolls the page: the stylesheet
 * leaves that gesture to the browser (touch-action), so that nobody is caught in the map.
 */
function addPointers(svg, { zoomBy, panBy, pointAt, unitsPerPixel }) {
  const fingers = new Map();
  const middle = () => {
    const all = [...fingers.values()];
    const mean = (of) => all.reduce((sum, one) => sum + one[of], 0) / all.length;
    return { clientX: mean('clientX'), clientY: mean('clientY') };
  };
  const fingerDistance = () => {
    const [a, b] = [...fingers.values()];
    return b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 1;
  };
  let [dragged, startX] = [0, 0];
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    if (fingers.size === 0) [dragged, startX] = [0, event.clientX];
    fingers.set(event.pointerId, event);
  });
  svg.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId) || fingers.size > 2) return;
    // Of one finger it is not known at once whether it scrolls the page.
    const isUndecided = dragged === 0 && Math.abs(event.clientX - startX) < SLOP;
    if (event.pointerType === 'touch' && fingers.size === 1 && isUndecided) return;
    const [from, before] = [middle(), fingerDistance()];
    fingers.set(event.pointerId, event);
    const to = middle();
    dragged += Math.hypot(to.clientX - from.clientX, to.clientY - from.clientY);
    // Captured only once it is a drag, so that a click still reaches its link.
    if (dragged > 6 && event.pointerType === 'mouse') svg.setPointerCapture(event.pointerId);
    const scale = unitsPerPixel();
    panBy((from.clientX - to.clientX) * scale, (from.clientY - to.clientY) * scale);
    if (fingers.size === 2) zoomBy(fingerDistance() / before, pointAt(to));
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
    svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  for (const kind of ['touchstart', 'touchmove'])
    svg.addEventListener(
      kind,
      (event) => event.touches.length > 1 && event.cancelable && event.preventDefault(),
      { passive: false },
    );
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
}

// ---- keys and buttons

function addKeys(figure, { zoomBy, panBy, reset, step }) {
  const moves = {
    ArrowLeft: () => panBy(-step(), 0),
    ArrowRight: () => panBy(step(), 0),
    ArrowUp: () => panBy(0, -step()),
    ArrowDown: () => panBy(0, step()),
    '+': () => zoomBy(STEP),
    '=': () => zoomBy(STEP),
    '-': () => zoomBy(1 / STEP),
    0: reset,
  };
  figure.addEventListener('keydown', (event) => {
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    // At its edge the map does not move, and the key scrolls the page.
    if (move()) event.preventDefault();
  });
}

function addTools(figure, zoomBy, reset) {
  const tools = document.createElement('div');
  tools.className = 'map-tools';
  tools.setAttribute('role', 'group');
  tools.setAttribute('aria-label', 'Map: arrow keys move it, + and - zoom, 0 resets');
  const tool = (text, label, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = text;
    button.setAttribute('aria-label', label);
    button.addEventListener('click', act);
    tools.append(button);
  };
  tool('+', 'Zoom in', () => zoomBy(STEP));
  tool('−', 'Zoom out', () => zoomBy(1 / STEP));
  tool('Reset', 'Reset the map', reset);
  figure.append(tools);
}

// ---- start, and again after live.js has replaced the content

function enhance() {
  const figure = document.querySelector('figure[data-map]:not([data-ready])');
  if (!figure) return;
  figure.setAttribute('data-ready', '');
  enable(figure);
}

enhance();
const main = document.querySelector('main');
if (main) new MutationObserver(enhance).observe(main, { childList: true });
