// Places the labels of the map at every step of map.js, by the functions of label-placement.ts and in the reader's font:
// each stands where it covers nothing, or is hidden until its spot is marked.

/** Half the size of a mark, and of one with a ring, as the server draws them. */
const MARK = 7.5;
const RINGED = 10.2;
/** Around a label and around a mark. */
const ROOM = 1;
const REACHES = [0, 3, 8, 14];
const TRIES = 8;

/** Lengths are those of a pin: units of the map before zooming. */
function readLabels(svg) {
  const spots = [...svg.querySelectorAll('a.spot')].map((spot) => {
    const { e: x, f: y } = spot.transform.baseVal[0].matrix;
    const mark = spot.querySelector('.hit').parentNode;
    const text = spot.querySelector('text') ?? addText(mark, spot.querySelector('title').textContent);
    const path = spot.querySelector('.to') ?? addPath(mark);
    const given = text.classList.contains('extra') ? null : givenBy(text);
    return { text, path, mark, x, y, given, isRinged: Boolean(spot.querySelector('.ring')) };
  });

  return (view) => {
    const edge = svg.getBoundingClientRect();
    const perUnit = edge.width / view.width;
    const line = measureLine(svg.querySelector('.scale text'));
    const size = new DOMMatrix(getComputedStyle(svg.querySelector('.shape')).transform).a;
    const reserved = [svg.parentNode.querySelector('.map-tools'), svg.querySelector('.scale')].map((each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return labelBox(...[x - edge.x, y - edge.y, width, height].map((length) => length / perUnit));
    });
    // The server has looked for the best places on the narrowest phone. With more room most fit beside their marks.
    const isKept = view.zoom === 1 && perUnit < 1.3;
    const marks = spots.map((one) => {
      const { e: dx, f: dy } = one.mark.transform.baseVal[0]?.matrix ?? { e: 0, f: 0 };
      const origin = { x: (one.x - view.x) * view.zoom, y: (one.y - view.y) * view.zoom };
      const width = one.text.getComputedTextLength() + 2 * ROOM;
      const kept = isKept && one.given?.(origin, width, line);
      const radius = size * (one.isRinged ? RINGED : MARK) + ROOM;
      return { ...one, x: origin.x + dx, y: origin.y + dy, origin, radius, width, kept };
    });
    const within = labelBox(0, 0, view.width, view.height);
    const isSeen = ({ x, y }) => x > 0 && x < view.width && y > 0 && y < view.height;
    const seen = marks.filter(isSeen);
    // A spot that is marked beyond the edge shows its label too: the others leave room for it.
    for (const mark of marks)
      if (!isSeen(mark) && mark.text.closest('.marked')) reserved.push(hiddenPlace(mark, within, line).box);
    const found = labelPlaces(seen, marks, {
      within,
      reserved,
      height: line.height,
      reaches: REACHES,
      tries: TRIES,
      nearerBy: ROOM,
    });
    const places = new Map(seen.map((mark, at) => [mark, found[at]]));
    for (const mark of marks) {
      const place = places.get(mark);
      write(mark, place ?? hiddenPlace(mark, within, line), line);
      mark.text.classList.toggle('extra', !place);
      // A line leads to a name, or is not drawn.
      mark.text.parentNode.classList.toggle('unnamed', !place);
    }
    const shown = found.filter(Boolean);
    const lines = [
      ...marks.map((mark) => pointsBetween(mark.origin, mark)),
      ...shown.map((place) => place.line),
    ];
    const taken = [
      ...reserved,
      ...marks.map(markSquare),
      ...shown.map(({ box }) => box),
      ...lines.flat().map(({ x, y }) => labelBox(x, y, 0, 0)),
    ];
    svg.dispatchEvent(new CustomEvent('maplabels', { bubbles: true, detail: { view, taken, line } }));
  };
}

const labelBox = (x, y, width, height) => ({ x, y, width, height });

/** Of the letters: how high a line is, and how high they rise above their base. */
function measureLine(letters) {
  const { y, height } = letters.getBBox();
  return { height, rise: Number(letters.getAttribute('y')) - y };
}

/** The place that the server gave a label, as a function of what the browser measures. */
function givenBy(text) {
  const [x, y] = [Number(text.getAttribute('x')), Number(text.getAttribute('y'))];
  const share = { start: 0, middle: 0.5, end: 1 }[text.getAttribute('text-anchor')];
  return (origin, width, { rise, height }) =>
    labelBox(origin.x + x - ROOM - share * (width - 2 * ROOM), origin.y + y - rise, width, height);
}

/** Of a label that is shown only while its spot is marked: above the mark, or below it, and never cut off. */
function hiddenPlace(mark, within, { height }) {
  const [above, below] = DIRECTIONS.slice(2, 4).map((direction) => boxBeside(mark, height, direction));
  const box = above.y < 0 ? below : above;
  box.x = Math.max(0, Math.min(within.width - box.width, box.x));
  return { box, line: [] };
}

function write({ text, path, x, y, origin }, { box, line: leader }, { rise }) {
  const [anchor, at] = textAnchor({ x, y }, { ...box, x: box.x + ROOM, width: box.width - 2 * ROOM });
  text.setAttribute('x', at - origin.x);
  text.setAttribute('y', box.y + rise - origin.y);
  text.setAttribute('text-anchor', anchor);
  const end = leader.at(-1);
  path.setAttribute(
    'd',
    end ? `M${x - origin.x} ${y - origin.y}L${end.x - origin.x} ${end.y - origin.y}` : 'M0 0',
  );
}

/** Of a long list most spots come without a label; zoomed in, there is room for it. */
function addText(mark, name) {
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.textContent = name;
  text.setAttribute('class', 'extra');
  mark.after(text);
  return text;
}

/** Under the mark. */
function addPath(mark) {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('class', 'leader to');
  mark.before(path);
  return path;
}

const known = new WeakMap();
document.addEventListener('mapview', ({ target, detail }) => {
  if (!known.has(target)) known.set(target, readLabels(target));
  known.get(target)(detail);
});
