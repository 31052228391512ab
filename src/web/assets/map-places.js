// Stations, streets and landmarks on the map, once it is zoomed in: each where its name covers nothing. They are drawn from
// the lines that the map carries (map-places.ts), after map-labels.js has placed the labels of the pockets.

const FROM_ZOOM = 2;
const DOT = 2.2;
const kinds = { s: 'station', l: 'landmark', t: 'street' };
const sides = [
  [1, 0, 'start', 0],
  [-1, 0, 'end', 1],
  [0, -1, 'middle', 0.5],
  [0, 1, 'middle', 0.5],
];

const drawn = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** The places of a map, hidden. A street has a name and no dot: it is not in one point. */
function drawPlaces(group) {
  const places = group.dataset.places.split('\n').map((row) => {
    const [x, y, letter, ...words] = row.split(' ');
    const kind = kinds[letter];
    const place = drawn('g', { class: `place ${kind}`, transform: `translate(${x} ${y})` });
    const pin = drawn('g', { class: 'pin' });
    const text = drawn('text', {});
    text.textContent = words.join(' ');
    if (kind !== 'street') pin.append(drawn('circle', { r: DOT }));
    pin.append(text);
    place.append(pin);
    return { x: Number(x), y: Number(y), dot: kind === 'street' ? 0 : DOT, place, text };
  });
  group.append(...places.map(({ place }) => place));
  return places;
}

function showPlaces(places, { zoom, ...view }, taken, line) {
  const meets = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
  const isFree = (box) =>
    box.left >= 1 &&
    box.right <= view.width - 1 &&
    box.top >= 1 &&
    box.bottom <= view.height - 1 &&
    !taken.some((one) => meets(one, box));
  for (const { x, y, dot, place, text } of places) {
    const [cx, cy] = [(x - view.x) * zoom, (y - view.y) * zoom];
    const own = { left: cx - dot - 1, right: cx + dot + 1, top: cy - dot - 1, bottom: cy + dot + 1 };
    const wide = zoom >= FROM_ZOOM && isFree(own) ? text.getComputedTextLength() : 0;
    const high = line.rise + line.fall;
    const spots = dot === 0 ? [[0, 0, 'middle', 0.5]] : sides;
    const free =
      wide > 0 &&
      spots
        .map(([right, down, anchor, share]) => {
          const left = cx + right * (dot + 2) - share * wide;
          const middle = cy + down * (dot + 1 + high / 2);
          return {
            anchor,
            tx: right * (dot + 2),
            ty: middle - cy + (line.rise - line.fall) / 2,
            box: {
              left: left - 2,
              right: left + wide + 2,
              top: middle - high / 2,
              bottom: middle + high / 2,
            },
          };
        })
        .find(({ box }) => isFree(box));
    place.classList.toggle('shown', Boolean(free));
    if (!free) continue;
    taken.push(free.box, own);
    text.setAttribute('x', free.tx);
    text.setAttribute('y', free.ty);
    text.setAttribute('text-anchor', free.anchor);
  }
}

const known = new WeakMap();
document.addEventListener('maplabels', ({ target, detail: { view, taken, line } }) => {
  const group = target.querySelector('.listed');
  if (!group || (view.zoom < FROM_ZOOM && !known.has(target))) return;
  if (!known.has(target)) known.set(target, drawPlaces(group));
  showPlaces(known.get(target), view, taken, line);
});
