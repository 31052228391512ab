// Stations, streets and landmarks on the map, once it is zoomed in: each where its name covers nothing. They are drawn from
// the lines that the map carries (map-places.ts), after map-labels.js has placed the labels of the pockets.

const FROM_ZOOM = 2;
const DOT = 2.2;
const kinds = { s: 'station', l: 'landmark', t: 'street' };
/** On each side of a name. */
const ROOM = 1.5;

const createShape = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** The places of a map, hidden. A street has a name and no dot: it is not in one point. */
function drawPlaces(group) {
  const places = group.dataset.places.split('\n').map((row) => {
    const [x, y, letter, ...words] = row.split(' ');
    const kind = kinds[letter];
    const place = createShape('g', { class: `place ${kind}`, transform: `translate(${x} ${y})` });
    const pin = createShape('g', { class: 'pin' });
    const text = createShape('text', {});
    text.textContent = words.join(' ');
    if (kind !== 'street') pin.append(createShape('circle', { r: DOT }));
    pin.append(text);
    place.append(pin);
    return { x: Number(x), y: Number(y), dot: kind === 'street' ? 0 : DOT, place, text };
  });
  group.append(...places.map(({ place }) => place));
  return places;
}

function showPlaces(places, { zoom, ...view }, taken, { rise, height }) {
  const within = { x: 1, y: 1, width: view.width - 2, height: view.height - 2 };
  const isFree = (box) => isInside(box, within) && !taken.some((one) => overlap(one, box));
  for (const { x, y, dot, place, text } of places) {
    const mark = { x: (x - view.x) * zoom, y: (y - view.y) * zoom };
    const own = markSquare({ ...mark, radius: dot + 1 });
    const width = zoom >= FROM_ZOOM && isFree(own) ? text.getComputedTextLength() + 2 * ROOM : 0;
    const beside = () =>
      DIRECTIONS.slice(0, 4).map((direction) =>
        boxBeside({ ...mark, width, radius: dot - 0.5 }, height, direction),
      );
    const over = () => [{ x: mark.x - width / 2, y: mark.y - height / 2, width, height }];
    const box = width > 0 && (dot ? beside() : over()).find(isFree);
    place.classList.toggle('shown', Boolean(box));
    if (!box) continue;
    taken.push(box, own);
    const [anchor, at] = textAnchor(mark, { ...box, x: box.x + ROOM, width: width - 2 * ROOM });
    text.setAttribute('x', at - mark.x);
    text.setAttribute('y', box.y + rise - mark.y);
    text.setAttribute('text-anchor', anchor);
  }
}

const known = new WeakMap();
document.addEventListener('maplabels', ({ target, detail: { view, taken, line } }) => {
  const group = target.querySelector('.listed');
  if (!group || (view.zoom < FROM_ZOOM && !known.has(target))) return;
  if (!known.has(target)) known.set(target, drawPlaces(group));
  showPlaces(known.get(target), view, taken, line);
});
