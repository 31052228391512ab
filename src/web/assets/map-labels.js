// Places the labels of the map at every step of map.js: each stands where it covers nothing, or is hidden until its spot
// is marked.

/** Places of a label beside its mark, as shares of the mark's radius and the label's size. */
const sides = [
  [1, 0, 'start'],
  [-1, 0, 'end'],
  [0, -1, 'middle'],
  [0, 1, 'middle'],
  [0.8, -0.8, 'start'],
  [0.8, 0.8, 'start'],
  [-0.8, -0.8, 'end'],
  [-0.8, 0.8, 'end'],
];
const starts = { start: 0, middle: 0.5, end: 1 };

/** Half the size of a mark, and of one with a ring, as the server draws them. */
const MARK = 7.5;
const RINGED = 10.2;

/** Lengths are those of a pin: units of the map before zooming. */
function labelsOf(svg) {
  const spots = [...svg.querySelectorAll('a.spot')].map((spot) => {
    const { e: x, f: y } = spot.transform.baseVal[0].matrix;
    const mark = spot.querySelector('.hit').parentNode;
    const text = spot.querySelector('text') ?? addText(spot);
    const path = spot.querySelector('.to');
    const given = text.classList.contains('extra') ? null : placeOf(text, path);
    return { text, path, mark, x, y, given, isRinged: Boolean(spot.querySelector('.ring')) };
  });
  let [line, size, isNarrow, obstacles] = [{ rise: 0, fall: 0 }, 1, true, []];

  const measure = ({ width }) => {
    const letters = svg.querySelector('.scale text');
    const { y, height: high } = letters.getBBox();
    const rise = Number(letters.getAttribute('y')) - y;
    line = { rise, fall: high - rise };
    const perUnit = svg.getBoundingClientRect().width / width;
    size = new DOMMatrix(getComputedStyle(svg.querySelector('.shape')).transform).a;
    isNarrow = perUnit < 1.3;
    for (const one of spots) one.width = one.text.getComputedTextLength() + 1;
    const tools = svg.parentNode.querySelector('.map-tools').getBoundingClientRect();
    const edge = svg.getBoundingClientRect();
    const scale = svg.querySelector('.scale').getBoundingClientRect();
    obstacles = [tools, scale].map((each) => ({
      left: (each.left - edge.left) / perUnit,
      right: (each.right - edge.left) / perUnit,
      top: (each.top - edge.top) / perUnit,
      bottom: (each.bottom - edge.top) / perUnit,
    }));
  };

  const place = (view) => {
    const { width, height } = view;
    const shown = spots.map((one) => {
      const { e: dx, f: dy } = one.mark.transform.baseVal[0]?.matrix ?? { e: 0, f: 0 };
      const [cx, cy] = [(one.x - view.x) * view.zoom + dx, (one.y - view.y) * view.zoom + dy];
      return { ...one, dx, dy, cx, cy };
    });
    const radiusOf = ({ isRinged }) => size * (isRinged ? RINGED : MARK);
    const taken = [
      ...obstacles,
      ...shown.map((one) => boxAround(one.cx, one.cy, radiusOf(one))),
      ...shown.flatMap(({ cx, cy, dx, dy }) =>
        [0.25, 0.5, 0.75, 1].map((share) => boxAround(cx - share * dx, cy - share * dy, 0.5)),
      ),
    ];
    const isFree = (box) =>
      box.left >= 0 &&
      box.right <= width &&
      box.top >= 0 &&
      box.bottom <= height &&
      !taken.some((one) => meets(one, box));
    /** Beside the mark, without a line. */
    const besides = (margin) => (one) => {
      const reach = radiusOf(one) + 2.5;
      return sides.map(([right, down, anchor]) => ({
        x: one.dx + right * reach,
        y: one.dy + down * (reach + (line.rise + line.fall) / 2) + (line.rise - line.fall) / 2,
        anchor,
        leader: null,
        margin,
      }));
    };
    /** Of a label that is shown only while its spot is marked: above the mark, or below it, and never cut off. */
    const hiddenPlace = (one) => {
      const [, , above, below] = besides(0)(one);
      const at = boxOf(one, above, line).top < 0 ? below : above;
      const { left, right } = boxOf(one, at, line);
      return { ...at, x: at.x + Math.max(0, 1 - left) - Math.max(0, right - width + 1) };
    };
    const put = (one, at) => {
      const box = boxOf(one, at, line);
      const leader = pointsOf(at.leader).map(([x, y]) =>
        boxAround(one.cx - one.dx + x, one.cy - one.dy + y, 0.5),
      );
      const own = boxAround(one.cx, one.cy, radiusOf(one));
      const outside = leader.filter((point) => !meets(point, own));
      if (
        !isFree(grown(box, at.margin)) ||
        outside.some((point) => taken.some((other) => meets(other, point)))
      )
        return false;
      taken.push(box, ...outside);
      write(one, at);
      return true;
    };
    const placed = new Set();
    // First those that have the fewest places to choose from.
    const choices = new Map(
      shown
        .filter(({ cx, cy }) => cx > 0 && cx < width && cy > 0 && cy < height)
        .map((one) => [one, besides(1)(one).filter((at) => isFree(grown(boxOf(one, at, line), 1))).length]),
    );
    const order = [...choices.keys()].sort((a, b) => choices.get(a) - choices.get(b));
    const tryAll = (placesOf) => {
      for (const one of order)
        if (!placed.has(one) && placesOf(one).some((at) => put(one, at))) placed.add(one);
    };
    // The server has looked for the best places on the narrowest phone. With more room most fit beside their marks.
    const givens = ({ given }) => (given && view.zoom === 1 ? [given] : []);
    // Away from others where that is possible, so that it is plain which mark a label belongs to.
    const near = [besides(2), besides(1)];
    const passes = isNarrow ? [givens, ...near] : [...near, givens];
    for (const placesOf of passes) tryAll(placesOf);
    for (const one of shown) {
      if (!placed.has(one)) write(one, hiddenPlace(one));
      one.text.classList.toggle('extra', !placed.has(one));
      // A line leads to a name, or is not drawn.
      one.text.parentNode.classList.toggle('unnamed', !placed.has(one));
    }
    svg.dispatchEvent(new CustomEvent('maplabels', { bubbles: true, detail: { view, taken, line } }));
  };
  return { measure, place };
}

const boxAround = (x, y, half) => ({ left: x - half, right: x + half, top: y - half, bottom: y + half });

const grown = ({ left, right, top, bottom }, by) => ({
  left: left - by,
  right: right + by,
  top: top - by,
  bottom: bottom + by,
});

const meets = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** Of a label at a place relative to its pocket. */
function boxOf({ cx, cy, dx, dy, width }, { x, y, anchor }, line) {
  const left = cx - dx + x - starts[anchor] * width;
  const base = cy - dy + y;
  return { left, right: left + width, top: base - line.rise, bottom: base + line.fall };
}

const placeOf = (text, path) => ({
  x: Number(text.getAttribute('x')),
  y: Number(text.getAttribute('y')),
  anchor: text.getAttribute('text-anchor'),
  leader: path && numbersOf(path.getAttribute('d')),
  margin: 0,
});

const numbersOf = (text) => text.match(/-?[\d.]+/g).map(Number);

/** Points along a line to a label. */
function pointsOf(leader) {
  if (!leader) return [];
  const [x, y, toX, toY] = leader;
  return Array.from({ length: 13 }, (_, step) => [x + (step * (toX - x)) / 12, y + (step * (toY - y)) / 12]);
}

function write({ text, path }, { x, y, anchor, leader }) {
  text.setAttribute('x', x);
  text.setAttribute('y', y);
  text.setAttribute('text-anchor', anchor);
  path?.setAttribute('d', leader ? `M${leader[0]} ${leader[1]}L${leader[2]} ${leader[3]}` : 'M0 0');
}

/** Of a long list most spots come without a label; zoomed in, there is room for it. */
function addText(spot) {
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.textContent = spot.querySelector('title').textContent;
  text.setAttribute('class', 'extra');
  spot.querySelector('.pin').append(text);
  return text;
}

const known = new WeakMap();
document.addEventListener('mapview', ({ target, detail }) => {
  if (!known.has(target)) known.set(target, labelsOf(target));
  const labels = known.get(target);
  labels.measure(detail);
  labels.place(detail);
});
